import { createHash, hash } from "node:crypto"
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
import { join } from "node:path"
import type { Project } from "../reading/project.ts"
import { digestOfCode } from "./code-digest.ts"

/**
 * The entries that this version of Flagstone wrote for this project file, in Flagstone's folder inside git's
 * (`git rev-parse --git-path flagstone`). Other and damaged entries count as absent. Failing to write one does no harm.
 */
export interface CacheFolder {
  readonly get: (name: string) => Buffer | undefined
  /** `write` returns the parts of the entry. */
  readonly put: (name: string, write: () => readonly Uint8Array[]) => void
}

export function openCacheFolder(folder: string, project: Project): CacheFolder {
  const compiler = digestOfCompiler(project)
  return {
    get: (name) => readEntry(folder, `${compiler}.${name}`),
    put: (name, write) => {
      const file = `${compiler}.${name}`
      const parts = write()
      writeEntry(folder, join(folder, file), [checksum(file, parts), ...parts])
    },
  }
}

/** What follows the checksum; `undefined` if the file is absent or damaged. */
function readEntry(folder: string, file: string): Buffer | undefined {
  try {
    const bytes = readFileSync(join(folder, file))
    const entry = bytes.subarray(checksumLength)
    return bytes.subarray(0, checksumLength).equals(checksum(file, [entry])) ? entry : undefined
  } catch {
    return undefined
  }
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
 * Replaces a file of the folder. A read-only folder or a full disk leaves it unchanged, a killed build may leave none,
 * and both only make the next build slower. Other builds may read and write here at the same time.
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
      // When a rename replaces a file, ext4 waits for the disk (about 2 ms for 2.5 MB). A cache need not survive a
      // crash.
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
    .filter((name) => ownName.test(name)) // other commands also keep files here
    .map((name) => ({ path: join(folder, name), at: statSync(join(folder, name)).mtimeMs }))
    .sort((a, b) => b.at - a.at)
  for (const { path } of files.slice(maxFiles)) rmSync(path, { recursive: true, force: true })
}

const ownName = /^([0-9a-f]{32}\.|new-)/

/** Enough for branches with different project files and for other versions of Flagstone. Killed builds also leave files. */
const maxFiles = 30

/** A digest of everything but the flag file itself that determines its meaning: the project file and the code. */
function digestOfCompiler(project: Project): string {
  return hash("sha256", [digestOfCode(), project.source.text].join("\0")).slice(0, 32)
}
