import type { KeyRecord } from "../contract/key-record.ts"
import type { PreparedSnapshot } from "../prepare/prepared-snapshot.ts"
import type { ServedProject } from "./served-project.ts"

/** What of a key decides which snapshot it reads. */
export type Place = Pick<KeyRecord, "project" | "environment">

/** All snapshots that the proxy holds in memory. It never changes: a reload makes another one. */
export interface Generation {
  readonly projects: readonly ServedProject[]
  /** The snapshot that a key reads; `undefined` when there is none. */
  find(place: Place): PreparedSnapshot | undefined
}

/**
 * `areSeveral` says that the proxy has several sources, of which some may not have loaded yet. Then a key must name its
 * project: what an environment's name means shall not hang on which project loaded or who else has one of that name.
 */
export function createGeneration(projects: readonly ServedProject[], areSeveral: boolean): Generation {
  const byName = new Map(projects.map((project) => [project.name, project]))
  const only = areSeveral ? undefined : projects[0]
  return {
    projects,
    find({ project, environment }) {
      const served = project === undefined ? only : byName.get(project)
      return served?.environments.get(environment)?.snapshot
    },
  }
}
