import { hash } from "node:crypto"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import type { CompiledFlag, Version } from "./compiled-flag.ts"
import type { Repository } from "./history/repository.ts"
import { shapeOf, writeInto } from "./memory-folder.ts"
import type { Project } from "./project.ts"
import { keyOfFile } from "./read.ts"

/**
 * What flag files were found to mean, by their content: never wrong, only absent. It lies under git's own folder
 * (`git rev-parse --git-path flagstone`), one file for each project file and Flagstone, and holds what the last build
 * used and no more. A file that is damaged or foreign is as good as none; failing to write it harms nothing.
 */
export interface Memory {
  /** A flag whose file has no mistakes. */
  readonly flag: (identity: string) => KnownFlag | undefined
  readonly learnFlag: (identity: string, flag: KnownFlag) => void
  readonly version: (identity: string) => Version | "unreadable" | undefined
  readonly learnVersion: (identity: string, version: Version | "unreadable") => void
  /** Writes down all that was asked for or learnt, if that differs by more than a hundredth from what is written. */
  readonly keep: () => void
}

type KnownFlag = Omit<CompiledFlag, "source" | "blob">

export interface MemoryOptions {
  /** `false`: nothing is remembered. */
  readonly cache: boolean
  /** The version of what runs Flagstone: another one may accept other regular expressions. */
  readonly runtime: string
}

/** What a version means depends on its text and, where that names no key, on the file's name. */
export function identityOf(blob: string, path: string): string {
  return `${blob} ${keyOfFile(path)}`
}

/** Outside git there is no place for it, and nothing is remembered. */
export function openMemory(repository: Repository, project: Project, options: MemoryOptions): Memory {
  if (repository.kind === "outside" || !options.cache) return forgetful
  const file = join(repository.memoryFolder, `${shapeOf(project, options)}.memory`)
  const known = readMemory(file)
  const used: Written = new Map()
  let learnt = 0
  /** Looks first among what this build used, then among what the last one did. */
  const recall = (identity: string, columns: number) => {
    const line = used.get(identity) ?? known.get(identity)
    const fields = line?.split("\t")
    if (line === undefined || fields === undefined || fields.length < columns) return undefined
    used.set(identity, line)
    return fields
  }
  const learn = (identity: string, fields: readonly string[]) => {
    if (/[\t\n]/.test(identity)) return
    learnt++
    used.set(identity, fields.join("\t"))
  }
  return {
    flag: (identity) => {
      const fields = recall(identity, 5)
      return fields && parseFlag(fields)
    },
    learnFlag: (identity, { outline, version, flag, configurations }) => {
      learn(identity, [...versionFields(version), flag, outlineText(outline), ...configurations.values()])
    },
    version: (identity) => {
      const fields = recall(identity, 1)
      return fields && parseVersion(fields)
    },
    learnVersion: (identity, version) => learn(identity, versionFields(version)),
    keep: () => {
      // To write all for a few costs more than to learn these few again.
      if (learnt * 100 < used.size && used.size > known.size / 2) return
      const body = [...used].map(([identity, line]) => `${identity}\t${line}\n`).join("")
      writeInto(repository.memoryFolder, file, [Buffer.from(`${headerOf(body)}\n${body}`)])
    },
  }
}

const forgetful: Memory = {
  flag: () => undefined,
  learnFlag: () => {},
  version: () => undefined,
  learnVersion: () => {},
  keep: () => {},
}

/** Lines by identity. A line's fields are parted by tabs, which JSON never holds. */
type Written = Map<string, string>

/** `key`, `definition`, environments with their meanings as JSON; a flag's line goes on with its own texts. */
function versionFields(version: Version | "unreadable"): readonly string[] {
  if (version === "unreadable") return [""]
  const configurations = [...version.configurations].flat().join(" ")
  return [JSON.stringify(version.key), version.definition, configurations]
}

function parseVersion([key = "", definition = "", configurations = ""]: readonly string[]):
  | Version
  | "unreadable" {
  if (key === "") return "unreadable"
  const words = configurations === "" ? [] : configurations.split(" ")
  const meanings = new Map<string, string>()
  for (let at = 0; at < words.length; at += 2) meanings.set(words[at] ?? "", words[at + 1] ?? "")
  return { key: JSON.parse(key), definition, configurations: meanings }
}

function parseFlag(fields: readonly string[]): KnownFlag | undefined {
  const version = parseVersion(fields)
  if (version === "unreadable") return undefined
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

function readMemory(file: string): Written {
  const lines: Written = new Map()
  let text: string
  try {
    text = readFileSync(file, "utf8")
  } catch {
    return lines
  }
  const end = text.indexOf("\n")
  const body = text.slice(end + 1)
  if (text.slice(0, end) !== headerOf(body)) return lines
  for (const line of body.split("\n")) {
    const tab = line.indexOf("\t")
    if (tab !== -1) lines.set(line.slice(0, tab), line.slice(tab + 1))
  }
  return lines
}

function headerOf(body: string): string {
  return `flagstone memory ${hash("sha256", body)}`
}
