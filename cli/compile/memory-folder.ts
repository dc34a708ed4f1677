import { hash } from "node:crypto"
import {
  closeSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs"
import { findPackageJSON } from "node:module"
import { join } from "node:path"
import type { MemoryOptions } from "./memory.ts"
import type { Project } from "./project.ts"

/**
 * Writes a file of the folder, or leaves it as it is: a folder that cannot be written and a disk that is full cost the
 * next build its time and nothing else. Others may read and write there at the same moment.
 */
export function writeInto(folder: string, file: string, parts: readonly Uint8Array[]): void {
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
const maxFiles = 12

/**
 * A digest of all that shapes a meaning besides the flag file: the project file, and Flagstone's and its parsers' own
 * code, so that there is no version number that someone could forget to raise.
 */
export function shapeOf(project: Project, { runtime }: MemoryOptions): string {
  const root = join(import.meta.dirname, "../..")
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
