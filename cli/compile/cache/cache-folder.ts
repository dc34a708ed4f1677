import { createHash, hash } from "node:crypto"
import {
  closeSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs"
import { findPackageJSON } from "node:module"
import { join } from "node:path"
import type { Project } from "../definition/project.ts"

/** What a build is told of remembering. */
export interface MemoryOptions {
  /** `false`: nothing is remembered. */
  readonly cache: boolean
  /** The version of what runs Flagstone: another one may accept other regular expressions. */
  readonly runtime: string
}

/**
 * Flagstone's own folder under git's (`git rev-parse --git-path flagstone`): what builds leave for later builds. What
 * is kept there is keyed by the content that it was made of, so it is never wrong, only absent. A file that is damaged
 * or foreign is as good as none; failing to write one harms nothing.
 */
export interface MemoryFolder {
  /**
   * What was kept under a name by this very Flagstone, for this very project file; with a `state`, only what was kept
   * for that: what belongs to another is not read to its end.
   */
  readonly recall: (name: string, state?: string) => Buffer | undefined
  /** `write` gives the parts of what is kept; it is asked only where something can be kept. */
  readonly keep: (name: string, write: () => readonly Uint8Array[], state?: string) => void
}

/** `folder` is `undefined` outside git: there is no place for it, and nothing is remembered. */
export function openMemoryFolder(
  folder: string | undefined,
  project: Project,
  options: MemoryOptions,
): MemoryFolder {
  if (folder === undefined || !options.cache) return { recall: () => undefined, keep: () => {} }
  const shape = shapeOf(project, options)
  return {
    recall: (name, state = "") => readWhole(folder, `${shape}.${name}`, state),
    keep: (name, write, state = "") => {
      const file = `${shape}.${name}`
      const parts = [Buffer.from(state), ...write()]
      writeInto(folder, join(folder, file), [sealOf(file, parts), ...parts])
    },
  }
}

/** What follows a file's seal and state; `undefined` where there is no such file, it is of another state or damaged. */
function readWhole(folder: string, file: string, state: string): Buffer | undefined {
  try {
    const opened = openSync(join(folder, file), "r")
    try {
      const head = Buffer.alloc(sealLength + state.length)
      readSync(opened, head, 0, head.length, 0)
      if (head.toString("latin1", sealLength) !== state) return undefined
      const bytes = readFileSync(opened)
      const seal = bytes.subarray(0, sealLength)
      return seal.equals(sealOf(file, [bytes.subarray(sealLength)])) ? bytes.subarray(head.length) : undefined
    } finally {
      closeSync(opened)
    }
  } catch {
    return undefined
  }
}

const sealLength = 32

/** Names the file, too: one that somebody renamed is another's. */
function sealOf(file: string, parts: readonly Uint8Array[]): Buffer {
  const sum = createHash("sha256").update(`${file}\0`)
  for (const part of parts) sum.update(part)
  return sum.digest()
}

/**
 * Writes a file of the folder, or leaves it as it is: a folder that cannot be written and a disk that is full cost the
 * next build its time and nothing else. Others may read and write there at the same moment.
 */
function writeInto(folder: string, file: string, parts: readonly Uint8Array[]): void {
  try {
    mkdirSync(folder, { recursive: true })
    const temporary = mkdtempSync(join(folder, "new-"))
    try {
      const opened = openSync(join(temporary, "file"), "wx")
      try {
        for (const part of parts) writeFileSync(opened, part)
      } finally {
        closeSync(opened)
      }
      renameSync(join(temporary, "file"), file)
    } finally {
      rmSync(temporary, { recursive: true, force: true })
    }
    forgetOld(folder)
  } catch {}
}

function forgetOld(folder: string): void {
  const files = readdirSync(folder)
    .map((name) => ({ path: join(folder, name), at: statSync(join(folder, name)).mtimeMs }))
    .sort((a, b) => b.at - a.at)
  for (const { path } of files.slice(maxFiles)) rmSync(path, { recursive: true, force: true })
}

/** Branches with other project files, other versions of Flagstone, and what builds that were killed left behind. */
const maxFiles = 18

/**
 * A digest of all that shapes a meaning besides the flag file: the project file, and Flagstone's and its parsers' own
 * code, so that there is no version number that someone could forget to raise.
 */
function shapeOf(project: Project, { runtime }: MemoryOptions): string {
  const root = join(import.meta.dirname, "../../..")
  const ours = ["cli/compile", "proxy/contract"].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
      .filter((name) => /\.[tj]s$/.test(name))
      .sort()
      .map((name) => join(root, folder, name)),
  )
  const parsers = ["yaml", "ajv"].flatMap((name) => findPackageJSON(name, import.meta.url) ?? [])
  const texts = [...ours, ...parsers].map((path) => readFileSync(path, "utf8"))
  return hash("sha256", [...texts, project.source.text, runtime].join("\0")).slice(0, 32)
}
