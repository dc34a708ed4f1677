import type { Manifest } from "../contract/manifest.ts"
import type { PreparedSnapshot, PrepareSnapshot } from "../prepare/prepared-snapshot.ts"
import { broken, type Fault, good, type Result, unavailable } from "../reload/fault.ts"
import { type SnapshotSet, worst } from "./snapshot-set.ts"

/** One environment as it is served. */
export interface LoadedEnvironment {
  readonly snapshot: PreparedSnapshot
  /** The commit that was compiled; `null` outside git. An environment whose new document is bad keeps its old one. */
  readonly revision: string | null
  /** Since when this document is served, by the monotonic clock. */
  readonly loadedAt: number
}

/** All environments of one project, each from the newest set with a good document for it. */
export interface LoadedProject {
  readonly name: string
  /** Of the newest set. */
  readonly manifest: Pick<Manifest, "publishedAt" | "committedAt" | "rollback">
  /** By environment name. */
  readonly environments: ReadonlyMap<string, LoadedEnvironment>
  /** By environment name: what is wrong with its newest document. An older one, or none, is served. */
  readonly faults: ReadonlyMap<string, Fault>
}

/**
 * Prepares the new documents of a set. An environment keeps its old one if the new one has the same bytes, or is bad. A
 * fault if nothing in the set can be served, or it belongs to another project: a key for one project must not give
 * access to another that was published to the wrong place.
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
    return broken(`this is project ${project}, not ${previous.name}: if that is intended, restart the proxy`)
  const environments = new Map<string, LoadedEnvironment>()
  const faults = new Map(set.faults)
  for (const [name, environment] of Object.entries(named)) {
    const before = previous?.environments.get(name)
    const bytes = set.documents.get(name)
    const isSame = before?.snapshot.sha256 === environment.sha256
    if (bytes !== undefined) {
      const snapshot = isSame ? good(before.snapshot) : await prepared(prepare(bytes, environment, signal))
      if (snapshot.kind !== "good") faults.set(name, snapshot)
      else
        environments.set(name, {
          snapshot: snapshot.value,
          revision,
          loadedAt: isSame ? before.loadedAt : now,
        })
    }
    if (before !== undefined && !environments.has(name)) environments.set(name, before)
  }
  if (faults.size > 0 && faults.size === Object.keys(named).length) return worst(faults.values())
  return good({ name: project, manifest: set.manifest, environments, faults })
}

async function prepared(preparing: ReturnType<PrepareSnapshot>): Promise<Result<PreparedSnapshot>> {
  try {
    const parsed = await preparing
    return parsed.kind === "valid" ? good(parsed.value) : broken(parsed.reason)
  } catch (error) {
    return unavailable((error as Error).message)
  }
}

/** Whether the served documents are the same as before. */
export function isSameProject(before: LoadedProject, after: LoadedProject): boolean {
  return describe(before) === describe(after)
}

function describe({ environments }: LoadedProject): string {
  return JSON.stringify(
    [...environments].map(([name, { snapshot, revision }]) => [name, snapshot.sha256, revision]),
  )
}
