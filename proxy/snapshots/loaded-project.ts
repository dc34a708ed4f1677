import type { PreparedSnapshot, PrepareSnapshot } from "../prepare/prepared-snapshot.ts"
import { broken, type Fault, good, type Result, unavailable } from "../reload/fault.ts"
import { type SnapshotSet, worst } from "./snapshot-set.ts"

/** One environment as it is served. */
export interface LoadedEnvironment {
  readonly snapshot: PreparedSnapshot
  /** The commit that was compiled; `null` outside git. An environment whose new document is bad keeps its older one. */
  readonly revision: string | null
  /** When a set last brought this document or confirmed it, in milliseconds since the epoch. */
  readonly loadedAt: number
}

/** All environments of one project, each from the newest set that had a good document of it. */
export interface LoadedProject {
  readonly name: string
  /** By environment name. */
  readonly environments: ReadonlyMap<string, LoadedEnvironment>
  /** By environment name: what is wrong with its newest document, so that an older one, or none, is served. */
  readonly faults: ReadonlyMap<string, Fault>
}

/**
 * Prepares what is new in a set. An environment keeps what it had if its document has the same bytes, or is bad. A fault
 * when nothing of the set can be served, or when it is of another project: a key for one project must not open another
 * one that was published to the wrong place.
 */
export async function loadProject(
  set: SnapshotSet,
  previous: LoadedProject | undefined,
  prepare: PrepareSnapshot,
  now: number,
  signal: AbortSignal,
): Promise<Result<LoadedProject>> {
  const { project, revision, environments: named } = set.manifest
  if (previous !== undefined && previous.name !== project)
    return broken(`this is project ${project}, not ${previous.name}: restart the proxy if you mean that`)
  const environments = new Map<string, LoadedEnvironment>()
  const faults = new Map(set.faults)
  for (const [name, environment] of Object.entries(named)) {
    const before = previous?.environments.get(name)
    const bytes = set.documents.get(name)
    const isSame = before?.snapshot.sha256 === environment.sha256
    if (bytes !== undefined) {
      const snapshot = isSame ? good(before.snapshot) : await prepared(prepare(bytes, environment, signal))
      if (snapshot.kind !== "good") faults.set(name, snapshot)
      else environments.set(name, { snapshot: snapshot.value, revision, loadedAt: now })
    }
    if (before !== undefined && !environments.has(name)) environments.set(name, before)
  }
  if (faults.size > 0 && faults.size === Object.keys(named).length) return worst(faults.values())
  return good({ name: project, environments, faults })
}

async function prepared(preparing: ReturnType<PrepareSnapshot>): Promise<Result<PreparedSnapshot>> {
  try {
    const parsed = await preparing
    return parsed.kind === "valid" ? good(parsed.value) : broken(parsed.reason)
  } catch (error) {
    return unavailable((error as Error).message)
  }
}

/** Whether what is served, and what is wrong with it, is the same as before. */
export function isSameProject(before: LoadedProject, after: LoadedProject): boolean {
  return describe(before) === describe(after)
}

function describe({ environments, faults }: LoadedProject): string {
  return JSON.stringify([
    [...environments].map(([name, { snapshot, revision }]) => [name, snapshot.sha256, revision]),
    [...faults].map(([name, { message }]) => [name, message]),
  ])
}
