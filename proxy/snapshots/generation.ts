import type { KeyRecord } from "../contract/key-record.ts"
import type { PreparedSnapshot } from "../prepare/prepared-snapshot.ts"
import type { LoadedProject } from "./loaded-project.ts"

/** Names a snapshot as a key does. */
export type SnapshotRef = Pick<KeyRecord, "project" | "environment">

/** A reference as operators write it. */
export function formatRef({ project, environment }: SnapshotRef): string {
  return project === undefined ? environment : `${project}/${environment}`
}

/** All snapshots that the proxy holds in memory. It never changes: a reload makes another one. */
export interface Generation {
  readonly projects: readonly LoadedProject[]
  /** The snapshot that a key reads; `undefined` when there is none. */
  find(ref: SnapshotRef): PreparedSnapshot | undefined
}

/**
 * `areSeveral`: the proxy has several sources, and some may not have loaded yet. Then a key must name its project, because
 * the meaning of an environment's name must not depend on what has loaded, or on who else has such a name.
 */
export function createGeneration(projects: readonly LoadedProject[], areSeveral: boolean): Generation {
  const byName = new Map(projects.map((project) => [project.name, project]))
  const only = areSeveral ? undefined : projects[0]
  return {
    projects,
    find({ project, environment }) {
      const loaded = project === undefined ? only : byName.get(project)
      return loaded?.environments.get(environment)?.snapshot
    },
  }
}
