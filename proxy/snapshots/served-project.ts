import type { Parsed } from "../contract/parsed.ts"
import type { PreparedSnapshot, PrepareSnapshot } from "../prepare/prepared-snapshot.ts"
import type { SnapshotSet } from "./snapshot-source.ts"

/** One environment as it is served. */
export interface ServedEnvironment {
  readonly snapshot: PreparedSnapshot
  /** The commit that was compiled; `null` outside git. An environment whose new document is bad keeps its older one. */
  readonly revision: string | null
  /** When a set last brought this document or confirmed it, in milliseconds since the epoch. */
  readonly loadedAt: number
}

/** All environments of one project, each from the newest set that had a good document of it. */
export interface ServedProject {
  readonly name: string
  /** By environment name. */
  readonly environments: ReadonlyMap<string, ServedEnvironment>
  /** By environment name: what is wrong with its newest document, and why an older one, or none, is served. */
  readonly faults: ReadonlyMap<string, Error>
  /** Why this comes from a copy and not from the source; `undefined`: it does not. */
  readonly insteadOf: Error | undefined
}

/**
 * Prepares what is new in a set. Documents of the same bytes as before are taken from `previous`, and so is what has no
 * good document in the set. Throws when nothing of the set can be served, or when it is of another project: a key that
 * was made for one project must not open another because somebody published to the wrong place.
 */
export async function serveProject(
  set: SnapshotSet,
  previous: ServedProject | undefined,
  prepare: PrepareSnapshot,
  now: number,
): Promise<ServedProject> {
  const { project, revision, environments: named } = set.manifest
  if (previous !== undefined && previous.name !== project)
    throw new Error(
      `this is project ${project}, not ${previous.name}: start the proxy again if that is meant`,
    )
  const environments = new Map<string, ServedEnvironment>()
  const faults = new Map(set.faults)
  for (const [name, environment] of Object.entries(named)) {
    const held = previous?.environments.get(name)
    const bytes = set.documents.get(name)
    try {
      if (bytes === undefined) {
        if (held !== undefined) environments.set(name, held)
      } else {
        const isHeld = held?.snapshot.sha256 === environment.sha256
        const snapshot = isHeld ? held.snapshot : snapshotOf(await prepare(bytes, environment))
        environments.set(name, { snapshot, revision, loadedAt: now })
      }
    } catch (error) {
      faults.set(name, error as Error)
      if (held !== undefined) environments.set(name, held)
    }
  }
  const [first] = [...faults.values()].toSorted(machinesFirst)
  if (first !== undefined && faults.size === Object.keys(named).length) throw first
  return { name: project, environments, faults, insteadOf: set.insteadOf }
}

/** Whether the same is served as before, and the same is wrong with it. */
export function servesSame(before: ServedProject, now: ServedProject): boolean {
  return (
    isEqual(before.environments, now.environments, sameEnvironment) &&
    isEqual(before.faults, now.faults, (one, other) => one.message === other.message) &&
    before.insteadOf?.message === now.insteadOf?.message
  )
}

function sameEnvironment(one: ServedEnvironment, other: ServedEnvironment): boolean {
  return one.snapshot === other.snapshot && one.revision === other.revision
}

function isEqual<T>(
  one: ReadonlyMap<string, T>,
  other: ReadonlyMap<string, T>,
  areSame: (one: T, other: T) => boolean,
): boolean {
  return (
    one.size === other.size &&
    [...one].every(([name, value]) => {
      const twin = other.get(name)
      return twin !== undefined && areSame(value, twin)
    })
  )
}

function snapshotOf(parsed: Parsed<PreparedSnapshot>): PreparedSnapshot {
  if (parsed.kind === "invalid") throw new Error(parsed.reason)
  return parsed.value
}

/** What may pass without the set's changing is worth another look, whatever else is wrong. */
function machinesFirst({ cause }: Error, other: Error): number {
  return Number(other.cause !== undefined) - Number(cause !== undefined)
}
