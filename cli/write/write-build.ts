import {
  closeSync,
  copyFileSync,
  existsSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from "node:fs"
import { basename, dirname, join } from "node:path"
import { manifestFile, parseManifest } from "../../proxy/contract/manifest.ts"
import type { Build } from "../compile/assemble.ts"

/**
 * Writes a build into a folder so that a reader sees whole files only: everything goes to temporary files first, is
 * synced, and then renamed, documents before the manifest. Documents of environments that the build no longer has
 * go last. Throws, with every file as it was, where something cannot be written.
 */
export function writeBuild(build: Build, folder: string): void {
  mkdirSync(folder, { recursive: true })
  const files = filesOf(build)
  const obsolete = documentsOf(folder).filter((name) => !files.some(({ file }) => file === name))
  const leftBehind = readdirSync(folder).filter((name) => isAbandoned(join(folder, name)))
  // A folder of its own for each build: two at once cannot write into each other's temporary files.
  const temporary = mkdtempSync(join(folder, temporaryPrefix))
  try {
    for (const { file, bytes } of files) writeSynced(join(temporary, file), bytes)
    replaceAll(files, temporary, folder)
  } finally {
    rmSync(temporary, { recursive: true, force: true })
  }
  syncFolder(folder)
  for (const name of [...obsolete, ...leftBehind])
    rmSync(join(folder, name), { recursive: true, force: true })
}

/** Moves files from one folder into another; where one cannot be moved, those moved before it are put back. */
function replaceAll(files: readonly { readonly file: string }[], from: string, into: string): void {
  const moved: string[] = []
  try {
    for (const { file } of files) {
      keepOld(join(into, file), join(from, `${file}.old`))
      renameSync(join(from, file), join(into, file))
      moved.push(file)
    }
  } catch (cause) {
    for (const file of moved.toReversed()) putBack(join(from, `${file}.old`), join(into, file))
    throw cause
  }
}

function keepOld(path: string, old: string): void {
  if (!existsSync(path)) return
  try {
    linkSync(path, old)
  } catch {
    copyFileSync(path, old) // not every file system has links
  }
}

function putBack(old: string, path: string): void {
  if (existsSync(old)) renameSync(old, path)
  else rmSync(path, { force: true })
}

const temporaryPrefix = ".build-"
/** Milliseconds after which no build can still be at work. */
const abandonedAfter = 3_600_000

/** What a build that was killed left behind: its folder is older than its parent's last change by an hour. */
function isAbandoned(path: string): boolean {
  if (!basename(path).startsWith(temporaryPrefix)) return false
  const found = statSync(path, { throwIfNoEntry: false })
  const newest = statSync(dirname(path)).mtimeMs
  return found?.isDirectory() === true && newest - found.mtimeMs > abandonedAfter
}

/** A build's files, in the order in which they are written. */
export function filesOf({ snapshots, manifest }: Build) {
  return [
    ...snapshots.map(({ file, bytes }) => ({ file, bytes })),
    { file: manifestFile, bytes: Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`) },
  ]
}

/** The documents that the folder's manifest names; none where there is no manifest that can be read. */
export function documentsOf(folder: string): readonly string[] {
  let text: string
  try {
    text = readFileSync(join(folder, manifestFile), "utf8")
  } catch {
    return []
  }
  const manifest = parseManifest(text)
  return manifest.kind === "valid" ? Object.values(manifest.value.environments).map(({ file }) => file) : []
}

function writeSynced(path: string, bytes: Uint8Array): void {
  const file = openSync(path, "w")
  try {
    for (let written = 0; written < bytes.length; ) written += writeSync(file, bytes, written)
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
}

/** The renames themselves survive a crash only when the folder is synced; not every file system can. */
function syncFolder(folder: string): void {
  const directory = openSync(folder, "r")
  try {
    fsyncSync(directory)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EINVAL") throw error
  } finally {
    closeSync(directory)
  }
}
