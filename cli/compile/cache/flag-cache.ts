import { type FlagFile, keyOfFile } from "../definition/read.ts"
import { type CompiledFlag, type Meaning, toDigest } from "../meaning/compiled-flag.ts"
import type { MemoryFolder } from "./cache-folder.ts"

/** What the flag files without mistakes were found to mean, by their content: all that the last build used. */
export interface Memory {
  readonly flag: (identity: string) => KnownFlag | undefined
  readonly learnFlag: (identity: string, flag: KnownFlag) => void
  /** Writes down all that was asked for or learnt, if that differs by more than a hundredth from what is written. */
  readonly keep: () => void
}

type KnownFlag = Omit<CompiledFlag, keyof FlagFile>

/** What a flag file means depends on its text and, where that names no key, on the file's name. */
export function identityOf(blob: string, path: string): string {
  return `${blob} ${keyOfFile(path)}`
}

export function openMemory(folder: MemoryFolder): Memory {
  const known = parseLines(folder.recall("memory")?.toString("utf8") ?? "")
  const used: (readonly [identity: string, flag: string | KnownFlag])[] = []
  let learnt = 0
  return {
    flag: (identity) => {
      const line = known.get(identity)
      if (line === undefined) return undefined
      used.push([identity, line])
      return parseFlag(line.split("\t"))
    },
    learnFlag: (identity, flag) => {
      if (/[\t\n]/.test(identity)) return
      learnt++
      used.push([identity, flag])
    },
    keep: () => {
      // To write all for a few costs more than to learn these few again.
      if (learnt * 100 < used.length && used.length > known.size / 2) return
      folder.keep("memory", () => {
        const lines = used.map(([identity, flag]) => {
          return `${identity}\t${typeof flag === "string" ? flag : lineOf(flag)}\n`
        })
        return [Buffer.from(lines.join(""))]
      })
    },
  }
}

/**
 * Fields parted by tabs, which JSON never holds: the key, the definition's meaning, environments with their meanings,
 * the flag, the outline, and the configuration of each environment.
 */
function lineOf({ outline, version, flag, configurations }: KnownFlag): string {
  const meanings = [...version.configurations].map(([environment, meaning]) => {
    return `${environment} ${meaningField(meaning, configurations.get(environment))}`
  })
  const { key, definition } = version
  const fields = [JSON.stringify(key), meaningField(definition, flag), meanings.join(" "), flag]
  return [...fields, outlineText(outline), ...configurations.values()].join("\t")
}

/** Nearly all meanings are the very text that stands in another field. */
function meaningField(meaning: Meaning, text: string | undefined): string {
  return meaning === text ? sameAsText : toDigest(meaning)
}

const sameAsText = "="

function parseFlag(fields: readonly string[]): KnownFlag {
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

/** `""` for the outline of nearly all flags, which say nothing of their names. */
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
