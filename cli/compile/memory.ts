import type { CompiledFlag, Version } from "./compiled-flag.ts"
import type { MemoryFolder } from "./memory-folder.ts"
import { type FlagFile, keyOfFile } from "./read.ts"

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
  const used = new Map<string, string | KnownFlag>()
  let learnt = 0
  return {
    flag: (identity) => {
      const line = known.get(identity)
      if (line === undefined) return undefined
      used.set(identity, line)
      return parseFlag(line.split("\t"))
    },
    learnFlag: (identity, flag) => {
      if (/[\t\n]/.test(identity)) return
      learnt++
      used.set(identity, flag)
    },
    keep: () => {
      // To write all for a few costs more than to learn these few again.
      if (learnt * 100 < used.size && used.size > known.size / 2) return
      folder.keep("memory", () => {
        const lines = [...used].map(([identity, flag]) => {
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
  const { key, definition } = version
  const meanings = [...version.configurations].flat().join(" ")
  const fields = [JSON.stringify(key), definition, meanings, flag, outlineText(outline)]
  return [...fields, ...configurations.values()].join("\t")
}

function parseVersion([key = "", definition = "", configurations = ""]: readonly string[]): Version {
  const words = configurations === "" ? [] : configurations.split(" ")
  const meanings = new Map<string, string>()
  for (let at = 0; at < words.length; at += 2) meanings.set(words[at] ?? "", words[at + 1] ?? "")
  return { key: JSON.parse(key), definition, configurations: meanings }
}

function parseFlag(fields: readonly string[]): KnownFlag {
  const version = parseVersion(fields)
  const [, , , flag = "", outline = "", ...texts] = fields
  const environments = [...version.configurations.keys()]
  return {
    version,
    flag,
    outline: outline === "" ? { ...plainOutline, key: version.key } : JSON.parse(outline),
    configurations: new Map(environments.map((environment, at) => [environment, texts[at] ?? ""])),
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
