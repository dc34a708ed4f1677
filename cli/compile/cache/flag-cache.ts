import type { FlagFile } from "../definition/read.ts"
import { type CompiledFlag, identityOf, type Meaning, toDigest } from "../meaning/compiled-flag.ts"
import type { CacheFolder } from "./cache-folder.ts"

/** What flag files mean, by their content. */
export interface FlagCache {
  readonly get: (file: FlagFile) => CompiledFlag | undefined
  /** Replaces what is cached by all flags of a build, where enough of them are new. */
  readonly put: (flags: readonly CompiledFlag[]) => void
}

export function openFlagCache(folder: CacheFolder): FlagCache {
  let read: ReadonlyMap<string, string> | undefined
  const lines = () => {
    read ??= parseLines(folder.get("flags")?.toString("utf8") ?? "")
    return read
  }
  return {
    get(file) {
      const line = lines().get(identityOf(file.blob, file.source.path))
      return line === undefined ? undefined : { ...file, ...parseFlag(line.split("\t")) }
    },
    put(flags) {
      const known = lines()
      const identities = flags.map(({ blob, source }) => identityOf(blob, source.path))
      const added = identities.filter((identity) => !known.has(identity)).length
      // Writing all flags for a few new ones costs more than compiling these few again.
      if (added * 100 < flags.length && flags.length > known.size / 2) return
      folder.put("flags", () => {
        const written = flags.map((flag, at) => {
          const identity = identities[at] ?? ""
          return /[\t\n]/.test(identity) ? "" : `${identity}\t${known.get(identity) ?? lineOf(flag)}\n`
        })
        return [Buffer.from(written.join(""))]
      })
    },
  }
}

/**
 * Fields separated by tabs, which JSON never contains: the key, the definition's meaning, environments with their
 * meanings, the flag, the outline, and the configuration of each environment.
 */
function lineOf({ outline, version, flag, configurations }: CompiledFlag): string {
  const meanings = [...version.configurations].map(([environment, meaning]) => {
    return `${environment} ${meaningField(meaning, configurations.get(environment))}`
  })
  const { key, definition } = version
  const fields = [JSON.stringify(key), meaningField(definition, flag), meanings.join(" "), flag]
  return [...fields, outlineText(outline), ...configurations.values()].join("\t")
}

/** Nearly all meanings are exactly the text of another field. */
function meaningField(meaning: Meaning, text: string | undefined): string {
  return meaning === text ? sameAsText : toDigest(meaning)
}

const sameAsText = "="

function parseFlag(fields: readonly string[]): Omit<CompiledFlag, keyof FlagFile> {
  const [key = "", definition = "", environments = "", flag = "", outline = "", ...texts] = fields
  const version = { key: JSON.parse(key), definition: definition === sameAsText ? flag : definition }
  const words = environments === "" ? [] : environments.split(" ")
  const meanings = new Map<string, Meaning>()
  const configurations = new Map<string, string>()
  for (const [at, text] of texts.entries()) {
    const [environment = "", meaning = ""] = words.slice(2 * at)
    meanings.set(environment, meaning === sameAsText ? text : meaning)
    configurations.set(environment, text)
  }
  return {
    version: { ...version, configurations: meanings },
    flag,
    outline: outline === "" ? { ...plainOutline, key: version.key } : JSON.parse(outline),
    configurations,
  }
}

const plainOutline = { keySpan: undefined, id: undefined, configurations: [] } as const

/** `""` for the outline of nearly all flags, which set neither key nor ids. */
function outlineText(outline: CompiledFlag["outline"]): string {
  const { keySpan, id, configurations } = outline
  const plain =
    keySpan === undefined && id === undefined && configurations.every(({ id }) => id === undefined)
  return plain ? "" : JSON.stringify(outline)
}

/** Lines by identity. */
function parseLines(text: string): ReadonlyMap<string, string> {
  const lines = new Map<string, string>()
  for (const line of text.split("\n")) {
    const tab = line.indexOf("\t")
    if (tab !== -1) lines.set(line.slice(0, tab), line.slice(tab + 1))
  }
  return lines
}
