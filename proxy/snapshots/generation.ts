import type { KeyRecord } from "../contract/key-record.ts"
import type { PreparedSnapshot } from "../prepare/prepared-snapshot.ts"
import type { LoadedProject } from "./loaded-project.ts"

/** Names a snapshot as a key does. */
export type SnapshotRef = Pick<KeyRecord, "project" | "environment">

/** A reference as operators write it. */
export function formatRef({ project, environment }: SnapshotRef): string {
  return project === undefined ? environment : `${project}/${environment}`
}

/** All snapshots that the proxy holds in memory. It never changes: a reload creates a new one. */
export interface Generation {
  readonly projects: readonly LoadedProject[]
  /** The snapshot that a key reads; `undefined` if there is none. */
  find(ref: SnapshotRef): PreparedSnapshot | undefined
}

/**
 * `areSeveral`: the proxy has several sources, some of which may not have loaded yet. Then a key must name its project:
 * what an environment's name means must not depend on what has loaded, or on whether another project has the same name.
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

/** A warning if flags compare attributes with a time, but not the one as which it is added; `undefined` if documents alone are served. */
export function unusedClock({ projects }: Generation, clock: string | undefined): string | undefined {
  const snapshots = projects.flatMap(({ environments }) => [...environments.values()])
  const limits = snapshots.flatMap(({ snapshot }) => [...(snapshot.evaluations?.limits ?? [])])
  const compared = new Set(limits.flatMap(([name, { isTime }]) => (isTime ? name : [])))
  if (clock === undefined || compared.size === 0 || compared.has(clock)) return undefined
  const names = [...compared].sort().slice(0, mostNames).join(", ")
  return `the time is added as ${clock}, but flags compare ${names} with a time`
}

const mostNames = 5
