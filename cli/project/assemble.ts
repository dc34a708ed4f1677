import { hash } from "node:crypto"
import { formatVersion, type Manifest, type ManifestEnvironment } from "../../proxy/contract/manifest.ts"
import { compareText } from "../diagnostics/diagnostic.ts"
import { sentConfiguration, sentFlag } from "../flag/sent-flag.ts"
import type { History } from "../history/history.ts"
import { timeText } from "../history/time-text.ts"
import type { FlagTimes } from "../history/timeline.ts"
import type { Flag } from "../language/flag.ts"
import type { Project } from "../reading/project.ts"
import type { Build, Snapshot } from "./build.ts"

/** The flags, and when they changed. */
interface AssembledFrom {
  readonly project: Project
  readonly flags: readonly Flag[]
  readonly history: History
}

/** Combines meanings and times: one document per environment, with flags sorted by key, and the manifest. */
export function assemble({ flags, history, project }: AssembledFrom): Build {
  const documents = project.environments.map(({ name }) => ({
    environment: name,
    list: openList('{"flags":['),
    configured: 0,
  }))
  // All documents in one pass, because a flag that was just read is quick to read again.
  for (const flag of flags.toSorted((a, b) => compareText(a.key, b.key))) {
    const dated = dateFlag(flag, history)
    for (const document of documents) {
      const { environment, list } = document
      list.add(entryOf(dated, environment))
      if (flag.configurations.has(environment)) document.configured++
    }
  }
  const snapshots = documents.map(({ environment, list, configured }): Snapshot => {
    return { environment, file: `${environment}.json`, bytes: list.end("]}\n"), configured }
  })
  const environments = project.environments.map(({ name, id }, at): [string, ManifestEnvironment] => {
    const { file, bytes } = snapshots[at] as Snapshot
    return [name, { id, file, sha256: hash("sha256", bytes), size: bytes.length, flags: flags.length }]
  })
  const manifest: Manifest = {
    formatVersion,
    project: project.name,
    revision: history.revision,
    ...(history.uncommitted.length > 0 ? { dirty: true } : {}),
    ...(history.shallow ? { shallow: true } : {}),
    ...(history.committedAt !== undefined ? { committedAt: timeText(history.committedAt) } : {}),
    environments: Object.fromEntries(environments),
  }
  return { snapshots, manifest }
}

/** A flag with its times: the JSON that all documents share, and what each adds. */
interface DatedFlag extends Pick<Flag, "configurations"> {
  readonly key: string
  readonly flag: string
  readonly times: FlagTimes
}

function dateFlag(flag: Flag, history: History): DatedFlag {
  const { key, configurations } = flag
  const times = history.times.get(key)
  if (times === undefined) throw new Error(`the history has no times for the flag ${key}`)
  const [createdAt, updatedAt] = [timeText(times.createdAt), timeText(times.updatedAt)]
  const dated = withMembers(
    JSON.stringify(sentFlag(flag)),
    `"createdAt":"${createdAt}","updatedAt":"${updatedAt}"`,
  )
  return { key, flag: dated, times, configurations }
}

/** An item of a `SnapshotDocument`, members in the order of `docs/read-api.md`: the order is part of the bytes. */
function entryOf({ key, flag, times, configurations }: DatedFlag, environment: string): string {
  const configuration = configurations.get(environment)
  if (configuration === undefined) return `{"flag":${flag},"environment":null}`
  const updatedAt = times.configurations.get(environment)
  if (updatedAt === undefined) throw new Error(`the history has no time of ${key} in ${environment}`)
  return `{"flag":${flag},"environment":${withMembers(JSON.stringify(sentConfiguration(configuration)), `"updatedAt":"${timeText(updatedAt)}"`)}}`
}

/** A list that is being written, with commas between its items. */
interface OpenList {
  readonly add: (item: string) => void
  /** All of it in UTF-8. */
  readonly end: (after: string) => Buffer
}

/** Computes the list's size first, so that its bytes are written once. */
function openList(before: string): OpenList {
  const parts: string[] = []
  let size = 0
  let part = before
  let isEmpty = true
  const endPart = () => {
    parts.push(part)
    size += Buffer.byteLength(part)
    part = ""
  }
  return {
    add(item) {
      part += isEmpty ? item : `,${item}`
      isEmpty = false
      if (part.length >= partLength) endPart()
    },
    end(after) {
      part += after
      endPart()
      const bytes = Buffer.allocUnsafe(size)
      let end = 0
      for (const part of parts) end += bytes.write(part, end)
      return bytes
    },
  }
}

/** In characters. V8 would copy a string of megabytes several times before encoding it. */
const partLength = 65_536

/** The JSON of a non-empty object with members added at its end. */
function withMembers(object: string, members: string): string {
  return `${object.slice(0, -1)},${members}}`
}
