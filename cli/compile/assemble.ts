import { hash } from "node:crypto"
import { formatVersion, type Manifest, type ManifestEnvironment } from "../../proxy/contract/manifest.ts"
import { compareText } from "../diagnostics/diagnostic.ts"
import type { Environment, Project } from "./definition/project.ts"
import type { History } from "./history/history.ts"
import type { FlagTimes } from "./history/timeline.ts"
import type { Build, Snapshot } from "./meaning/build.ts"
import type { CompiledFlag } from "./meaning/compiled-flag.ts"
import { createTimeText, type TimeText } from "./meaning/time-text.ts"

/** Puts meanings and times together: one document for each environment, flags sorted by key, and the manifest. */
export function assemble(flags: readonly CompiledFlag[], history: History, project: Project): Build {
  const sorted = flags.toSorted((a, b) => compareText(a.version.key, b.version.key))
  const timeText = createTimeText()
  const dated = sorted.map((flag) => dateFlag(flag, history, timeText))
  const snapshots = project.environments.map((environment) => assembleSnapshot(dated, environment, timeText))
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
    ...(history.committedAt !== undefined ? { committedAt: timeText(history.committedAt) } : {}),
    environments: Object.fromEntries(environments),
  }
  return { snapshots, manifest }
}

/** A flag with its times: the JSON that is in all documents, and what each document adds. */
interface DatedFlag extends Pick<CompiledFlag, "configurations"> {
  readonly key: string
  readonly flag: string
  readonly times: FlagTimes
}

function dateFlag(
  { version: { key }, flag, configurations }: CompiledFlag,
  history: History,
  timeText: TimeText,
): DatedFlag {
  const times = history.times.get(key)
  if (times === undefined) throw new Error(`the history has no times of the flag ${key}`)
  const [createdAt, updatedAt] = [timeText(times.createdAt), timeText(times.updatedAt)]
  const dated = withMembers(flag, `"createdAt":"${createdAt}","updatedAt":"${updatedAt}"`)
  return { key, flag: dated, times, configurations }
}

/** `SnapshotDocument`, members in the order of `docs/read-api.md`: the order is part of the bytes. */
function assembleSnapshot(flags: readonly DatedFlag[], { name }: Environment, timeText: TimeText): Snapshot {
  let configured = 0
  const entryOf = ({ key, flag, times, configurations }: DatedFlag) => {
    const configuration = configurations.get(name)
    if (configuration === undefined) return `{"flag":${flag},"environment":null}`
    const updatedAt = times.configurations.get(name)
    if (updatedAt === undefined) throw new Error(`the history has no time of ${key} in ${name}`)
    configured++
    return `{"flag":${flag},"environment":${withMembers(configuration, `"updatedAt":"${timeText(updatedAt)}"`)}}`
  }
  const bytes = listInBytes('{"flags":[', flags, entryOf, "]}\n")
  return { environment: name, file: `${name}.json`, bytes, configured }
}

/** A list's items with commas between them, in UTF-8. Its size is found before its bytes, so that they are written once. */
function listInBytes<T>(
  before: string,
  items: readonly T[],
  textOf: (item: T) => string,
  after: string,
): Buffer {
  const parts: string[] = []
  let size = 0
  let part = before
  const add = () => {
    parts.push(part)
    size += Buffer.byteLength(part)
    part = ""
  }
  for (const [at, item] of items.entries()) {
    part += at === 0 ? textOf(item) : `,${textOf(item)}`
    if (part.length >= partLength) add()
  }
  part += after
  add()
  const bytes = Buffer.allocUnsafe(size)
  let end = 0
  for (const part of parts) end += bytes.write(part, end)
  return bytes
}

/** In characters. V8 would copy a text of megabytes several times before it is bytes. */
const partLength = 65_536

/** The JSON of a non-empty object, with members added at its end. */
function withMembers(object: string, members: string): string {
  return `${object.slice(0, -1)},${members}}`
}
