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
import { join } from "node:path"
import type { Project } from "../definition/project.ts"
import { digestOfCode } from "./code-digest.ts"

/**
 * Flagstone's folder inside git's (`git rev-parse --git-path flagstone`), for exactly this Flagstone and this project
 * file. A file that is damaged or was written by others counts as absent. Failing to write one does no harm.
 */
export interface CacheFolder {
  /** With a `key`, only what was put under that key: an entry under another one is not read to its end. */
  readonly get: (name: string, key?: string) => Buffer | undefined
  /** `write` gives the parts of the entry. */
  readonly put: (name: string, write: () => readonly Uint8Array[], key?: string) => void
}

export function openCacheFolder(folder: string, project: Project): CacheFolder {
  const compiler = digestOfCompiler(project)
  return {
    get: (name, key = "") => readEntry(folder, `${compiler}.${name}`, key),
    put: (name, write, key = "") => {
      const file = `${compiler}.${name}`
      const parts = [Buffer.from(key), ...write()]
      writeEntry(folder, join(folder, file), [checksum(file, parts), ...parts])
    },
  }
}

/** `undefined` where the file is absent, damaged or has another key. */
function readEntry(folder: string, file: string, key: string): Buffer | undefined {
  try {
    const opened = openSync(join(folder, file), "r")
    try {
      const head = Buffer.alloc(checksumLength + key.length)
      readSync(opened, head, 0, head.length, 0)
      return head.toString("latin1", checksumLength) === key
        ? readWhole(opened, file, head.length)
        : undefined
    } finally {
      closeSync(opened)
    }
  } catch {
    return undefined
  }
}

/** What follows the checksum and the key; `undefined` where the file is damaged. */
function readWhole(opened: number, file: string, headLength: number): Buffer | undefined {
  const bytes = readFileSync(opened)
  const found = bytes.subarray(0, checksumLength)
  return found.equals(checksum(file, [bytes.subarray(checksumLength)]))
    ? bytes.subarray(headLength)
    : undefined
}

/** Bytes of SHA-256. */
const checksumLength = 32

/** Includes the file's name, so that a renamed file counts as damaged. */
function checksum(file: string, parts: readonly Uint8Array[]): Buffer {
  const sum = createHash("sha256").update(`${file}\0`)
  for (const part of parts) sum.update(part)
  return sum.digest()
}

/**
 * Replaces a file of the folder. A read-only folder or a full disk leaves it as it is, a build that is killed may leave
 * none, and both only make the next build slower. Other builds may read and write here at the same moment.
 */
function writeEntry(folder: string, file: string, parts: readonly Uint8Array[]): void {
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
      // ext4 waits for the disk where a rename replaces a file, some 2 ms for 2.5 MB, which a cache need not survive.
      rmSync(file, { force: true })
      renameSync(join(temporary, "file"), file)
    } finally {
      rmSync(temporary, { recursive: true, force: true })
    }
    removeOldest(folder)
  } catch {}
}

function removeOldest(folder: string): void {
  const files = readdirSync(folder)
    .filter((name) => ownName.test(name)) // other commands keep files here, too
    .map((name) => ({ path: join(folder, name), at: statSync(join(folder, name)).mtimeMs }))
    .sort((a, b) => b.at - a.at)
  for (const { path } of files.slice(maxFiles)) rmSync(path, { recursive: true, force: true })
}

const ownName = /^([0-9a-f]{32}\.|new-)/

/** Enough for branches with other project files and other versions of Flagstone; killed builds leave files, too. */
const maxFiles = 30

/** A digest of everything besides the flag file that decides what a flag file means: the project file and the code. */
function digestOfCompiler(project: Project): string {
  return hash("sha256", [digestOfCode(), project.source.text].join("\0")).slice(0, 32)
}
