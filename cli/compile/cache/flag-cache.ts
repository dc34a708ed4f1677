import { hash } from "node:crypto"
import type { Segments } from "../definition/segments.ts"
import type { CompiledFlag } from "../meaning/compiled-flag.ts"
import type { FileFacts } from "../meaning/file-facts.ts"
import type { FlagVersion } from "../meaning/flag-version.ts"
import type { Meaning, OpenText } from "../meaning/meaning.ts"
import type { FlagFile } from "../read/flag-file.ts"
import { identityOf } from "../read/flag-file.ts"
import type { CacheFolder } from "./cache-folder.ts"

/** The meanings of flag files, by their content. */
export interface FlagCache {
  /** Only if the flag was checked with its segments as they are now. */
  readonly get: (file: FlagFile, segments: Segments) => CompiledFlag | undefined
  /** Replaces the cache with all flags of a build, if enough of them are new. */
  readonly put: (flags: readonly CompiledFlag[], segments: Segments) => void
}

export function openFlagCache(folder: CacheFolder): FlagCache {
  let read: ReadonlyMap<string, string> | undefined
  const lines = () => {
    read ??= parseLines(folder.get("flags")?.toString("utf8") ?? "")
    return read
  }
  /** The identities of flags that use a segment that has changed since. */
  const stale = new Set<string>()
  return {
    get(file, segments) {
      const identity = identityOf(file.blob, file.source.path)
      const line = lines().get(identity)
      const flag = line === undefined ? undefined : parseFlag(file, line.split("\t"), segments)
      if (line !== undefined && flag === undefined) stale.add(identity)
      return flag
    },
    put(flags, segments) {
      const known =
        stale.size === 0 ? lines() : new Map([...lines()].filter(([identity]) => !stale.has(identity)))
      const identities = flags.map(({ blob, source }) => identityOf(blob, source.path))
      const added = identities.filter((identity) => !known.has(identity)).length
      // Writing all flags for the sake of a few new ones costs more than compiling those again.
      if (added * 100 < flags.length && flags.length > known.size / 2) return
      folder.put("flags", () => {
        const written = flags.map((flag, at) => {
          const identity = identities[at] ?? ""
          return /[\t\n]/.test(identity)
            ? ""
            : `${identity}\t${known.get(identity) ?? lineOf(flag, segments)}\n`
        })
        return [Buffer.from(written.join(""))]
      })
    },
  }
}

/**
 * Fields separated by tabs, which JSON never contains: the key, the meanings of the definition and of its default,
 * environments with their meanings, the flag, the outline, the facts, the segments, and the configuration of each
 * environment.
 */
function lineOf({ outline, version, flag, configurations, facts }: CompiledFlag, segments: Segments): string {
  const meanings = [...version.configurations].map(([environment, meaning]) => {
    const isOpen = version.uses?.has(environment) ?? false
    return `${environment} ${isOpen ? amongSegments : meaning}`
  })
  const { key, definition, defaultValue } = version
  const fields = [JSON.stringify(key), definition, defaultValue, meanings.join(" "), flag]
  const used = segmentsText(version, segments)
  return [...fields, JSON.stringify(outline), factsText(facts), used, ...configurations.values()].join("\t")
}

/** A digest of a flag's segments, and the configurations that use them; `""` for the many flags that use none. */
function segmentsText({ uses, configurations }: FlagVersion, segments: Segments): string {
  if (uses === undefined) return ""
  const open: UsedSegments["open"] = [...uses].map(([environment, names]) => [
    environment,
    names,
    configurations.get(environment) ?? "",
  ])
  const used: UsedSegments = { digest: digestOf(open, segments), open }
  return JSON.stringify(used)
}

interface UsedSegments {
  readonly digest: string
  /** By environment, the names of the segments and the `openText`. */
  readonly open: readonly (readonly [environment: string, names: readonly string[], text: string])[]
}

/** Equal if the segments have the same conditions. */
function digestOf(open: UsedSegments["open"], segments: Segments): string {
  const names = [...new Set(open.flatMap(([, names]) => names))]
  return hash("sha256", JSON.stringify(names.map((name) => [name, segments.get(name)?.condition])))
}

/** Marks a meaning that is in the field of segments. */
const amongSegments = "+"

/** `undefined` if a segment that the flag uses has changed. */
function parseFlag(
  { source, blob }: FlagFile,
  fields: readonly string[],
  segments: Segments,
): CompiledFlag | undefined {
  const [
    key = "",
    definition = "",
    defaultValue = "",
    environments = "",
    flag = "",
    outline = "",
    facts = "",
    used = "",
    ...texts
  ] = fields
  const { digest, open }: UsedSegments = used === "" ? noUse : JSON.parse(used)
  if (used !== "" && digest !== digestOf(open, segments)) return undefined
  const version = { key: JSON.parse(key), definition, defaultValue }
  const words = environments === "" ? [] : environments.split(" ")
  const meanings = new Map<string, Meaning | OpenText>()
  const configurations = new Map<string, string>()
  for (const [at, text] of texts.entries()) {
    const [environment = "", meaning = ""] = words.slice(2 * at)
    meanings.set(environment, meaning)
    configurations.set(environment, text)
  }
  for (const [environment, , text] of open) meanings.set(environment, text)
  const uses = new Map(open.map(([environment, names]) => [environment, names]))
  return {
    source,
    blob,
    version: { ...version, configurations: meanings, ...(used === "" ? {} : { uses }) },
    flag,
    outline: JSON.parse(outline),
    configurations,
    facts: parseFacts(facts),
  }
}

function factsText({ owner, tags, expires, links, rules }: FileFacts): string {
  return JSON.stringify([owner, tags, expires, links, ...rules])
}

function parseFacts(text: string): FileFacts {
  const [owner, tags, expires, links, ...rules] = JSON.parse(text)
  return { owner, tags, expires, links, rules: new Map(rules) }
}

const noUse: UsedSegments = { digest: "", open: [] }

/** Lines by identity. */
function parseLines(text: string): ReadonlyMap<string, string> {
  const lines = new Map<string, string>()
  for (const line of text.split("\n")) {
    const tab = line.indexOf("\t")
    if (tab !== -1) lines.set(line.slice(0, tab), line.slice(tab + 1))
  }
  return lines
}
