import { hash } from "node:crypto"
import { formatVersion, type Manifest, type ManifestEnvironment } from "../../proxy/contract/manifest.ts"
import type { FlagEntry, SnapshotDocument } from "../../proxy/contract/snapshot.ts"
import { compareText } from "../diagnostics/diagnostic.ts"
import type { FlagTimes, History } from "./history.ts"
import type { Environment, Project } from "./project.ts"
import type { ResolvedFlag } from "./resolve.ts"

/** The compiled document of one environment. */
export interface Snapshot {
  readonly environment: string
  /** The file's name in the output folder. */
  readonly file: string
  readonly bytes: Uint8Array
  /** How many flags are configured in the environment; the document holds all of the project's. */
  readonly configured: number
}

/** All that one build makes. */
export interface Build {
  readonly snapshots: readonly Snapshot[]
  readonly manifest: Manifest
}

/** Puts meanings and times together: one document for each environment, flags sorted by key, and the manifest. */
export function assemble(flags: readonly ResolvedFlag[], history: History, project: Project): Build {
  const sorted = flags.toSorted((a, b) => compareText(a.flag.key, b.flag.key))
  const snapshots = project.environments.map((environment) => assembleSnapshot(sorted, history, environment))
  const environments = project.environments.map(({ name, id }, at): [string, ManifestEnvironment] => {
    const { file, bytes } = snapshots[at] as Snapshot
    return [name, { id, file, sha256: hash("sha256", bytes), size: bytes.length, flags: flags.length }]
  })
  const manifest: Manifest = {
    formatVersion,
    project: project.name,
    revision: history.revision,
    ...(history.dirty ? { dirty: true } : {}),
    ...(history.shallow ? { shallow: true } : {}),
    ...(history.committedAt !== undefined ? { committedAt: history.committedAt } : {}),
    environments: Object.fromEntries(environments),
  }
  return { snapshots, manifest }
}

function assembleSnapshot(
  flags: readonly ResolvedFlag[],
  { times }: History,
  { name }: Environment,
): Snapshot {
  const entries = flags.map((flag) => assembleEntry(flag, times.get(flag.flag.key), name))
  const document: SnapshotDocument = { flags: entries }
  return {
    environment: name,
    file: `${name}.json`,
    bytes: Buffer.from(`${JSON.stringify(document)}\n`),
    configured: entries.filter((entry) => entry.environment !== null).length,
  }
}

/** Members in the order of `read-api.md`, section 2: the order is part of the bytes. */
function assembleEntry(resolved: ResolvedFlag, times: FlagTimes | undefined, environment: string): FlagEntry {
  if (times === undefined) throw new Error(`history knows no times of the flag ${resolved.flag.key}`)
  const { createdAt, updatedAt } = times
  const configuration = resolved.configurations.get(environment)
  const configuredAt = times.configurations.get(environment)
  if (configuration === undefined)
    return { flag: { ...resolved.flag, createdAt, updatedAt }, environment: null }
  if (configuredAt === undefined) throw new Error(`history knows no time of ${configuration.id}`)
  return {
    flag: { ...resolved.flag, createdAt, updatedAt },
    environment: { ...configuration, updatedAt: configuredAt },
  }
}
