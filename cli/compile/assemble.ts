import { hash } from "node:crypto"
import { formatVersion, type Manifest, type ManifestEnvironment } from "../../proxy/contract/manifest.ts"
import { compareText } from "../diagnostics/diagnostic.ts"
import type { Environment, Project } from "./definition/project.ts"
import type { FlagTimes, History } from "./history/history.ts"
import type { CompiledFlag } from "./meaning/compiled-flag.ts"

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
export function assemble(flags: readonly CompiledFlag[], history: History, project: Project): Build {
  const sorted = flags.toSorted((a, b) => compareText(a.version.key, b.version.key))
  const dated = sorted.map((flag) => dateFlag(flag, history))
  const snapshots = project.environments.map((environment) => assembleSnapshot(dated, environment))
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

/** A flag with its times: the JSON that all documents share, and what each adds to it. */
interface DatedFlag extends Pick<CompiledFlag, "configurations"> {
  readonly key: string
  readonly flag: string
  readonly times: FlagTimes
}

function dateFlag({ version: { key }, flag, configurations }: CompiledFlag, history: History): DatedFlag {
  const times = history.times.get(key)
  if (times === undefined) throw new Error(`history knows no times of the flag ${key}`)
  const { createdAt, updatedAt } = times
  const dated = withMembers(flag, `"createdAt":"${createdAt}","updatedAt":"${updatedAt}"`)
  return { key, flag: dated, times, configurations }
}

/** `SnapshotDocument`, members in the order of `docs/read-api.md`: the order is part of the bytes. */
function assembleSnapshot(flags: readonly DatedFlag[], { name }: Environment): Snapshot {
  let configured = 0
  const entries = flags.map(({ key, flag, times, configurations }) => {
    const configuration = configurations.get(name)
    if (configuration === undefined) return `{"flag":${flag},"environment":null}`
    const updatedAt = times.configurations.get(name)
    if (updatedAt === undefined) throw new Error(`history knows no time of ${key} in ${name}`)
    configured++
    return `{"flag":${flag},"environment":${withMembers(configuration, `"updatedAt":"${updatedAt}"`)}}`
  })
  return {
    environment: name,
    file: `${name}.json`,
    bytes: Buffer.from(`{"flags":[${entries.join(",")}]}\n`),
    configured,
  }
}

/** The JSON of an object that is not empty, with members added to its end. */
function withMembers(object: string, members: string): string {
  return `${object.slice(0, -1)},${members}}`
}
