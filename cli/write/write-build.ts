import {
  closeSync,
  fsyncSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeSync,
} from "node:fs"
import { join } from "node:path"
import { parseManifest } from "../../proxy/contract/manifest.ts"
import type { Build } from "../compile/assemble.ts"

const manifestName = "manifest.json"

/**
 * Writes a build into a folder so that a reader sees whole files only: everything goes to temporary files first, is
 * synced, and then renamed, documents before the manifest. Documents of environments that the build no longer has
 * go last. Throws, with every file as it was, where something cannot be written.
 */
export function writeBuild(build: Build, folder: string): void {
  mkdirSync(folder, { recursive: true })
  const files = filesOf(build)
  const obsolete = documentsOf(folder).filter((name) => !files.some(({ file }) => file === name))
  // A folder of its own for each build: two at once cannot write into each other's temporary files.
  const temporary = mkdtempSync(join(folder, ".build-"))
  try {
    for (const { file, bytes } of files) writeSynced(join(temporary, file), bytes)
    for (const { file } of files) renameSync(join(temporary, file), join(folder, file))
  } finally {
    rmSync(temporary, { recursive: true, force: true })
  }
  syncFolder(folder)
  for (const file of obsolete) rmSync(join(folder, file), { force: true })
}

/** A build's files, in the order in which they are written. */
export function filesOf({ snapshots, manifest }: Build) {
  return [
    ...snapshots.map(({ file, bytes }) => ({ file, bytes })),
    { file: manifestName, bytes: Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`) },
  ]
}

/** The documents that the folder's manifest names; none where there is no manifest that can be read. */
export function documentsOf(folder: string): readonly string[] {
  let text: string
  try {
    text = readFileSync(join(folder, manifestName), "utf8")
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
