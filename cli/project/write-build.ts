import { readFileSync } from "node:fs"
import { mkdir, mkdtemp, rm } from "node:fs/promises"
import { join } from "node:path"
import { manifestFile, parseManifest } from "../../proxy/contract/manifest.ts"
import { removeAbandoned } from "../files/abandoned.ts"
import { withLock } from "../files/lock.ts"
import { replaceAll } from "../files/replace-all.ts"
import { syncFolder, writeSynced } from "../files/write-synced.ts"
import type { Host } from "../host.ts"
import type { Build } from "./build.ts"

/**
 * Writes a build into a folder so that readers see only whole files: everything is written to temporary files first,
 * synced, and then renamed, documents before the manifest. Documents of environments that the build no longer has are
 * removed last. Concurrent builds wait for each other. Throws, with every file unchanged, if something cannot be written;
 * resolves to what went wrong after that, if anything.
 */
export async function writeBuild(
  build: Build,
  folder: string,
  host: Pick<Host, "pid" | "isRunning">,
): Promise<Error | undefined> {
  await mkdir(folder, { recursive: true })
  return withLock(join(folder, lockFile), host, async () => {
    const files = filesOf(build)
    const obsolete = documentsOf(folder).filter((name) => !files.some(({ file }) => file === name))
    const temporary = await mkdtemp(join(folder, temporaryPrefix))
    try {
      await allDone(files.map(({ file, bytes }) => writeSynced(join(temporary, file), bytes)))
      await replaceAll(
        files.map(({ file }) => file),
        temporary,
        folder,
      )
    } finally {
      await rm(temporary, { recursive: true, force: true })
    }
    return tidy(folder, obsolete).then(
      () => undefined,
      (error: Error) => error,
    )
  })
}

/** What remains to be done when all files of a build are in place. */
async function tidy(folder: string, obsolete: readonly string[]): Promise<void> {
  await syncFolder(folder)
  for (const name of obsolete) await rm(join(folder, name), { force: true })
  await removeAbandoned(folder, temporaryPrefix)
}

/** Waits for all even if one fails: the others would otherwise write into a folder that is being removed. */
async function allDone(tasks: readonly Promise<void>[]): Promise<void> {
  const failed = (await Promise.allSettled(tasks)).find(({ status }) => status === "rejected")
  if (failed?.status === "rejected") throw failed.reason
}

const lockFile = ".build.lock"
const temporaryPrefix = ".build-"

/** A build's files, in the order in which they are written. */
export function filesOf({ snapshots, manifest }: Build) {
  return [
    ...snapshots.map(({ file, bytes }) => ({ file, bytes })),
    { file: manifestFile, bytes: Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`) },
  ]
}

/** The documents that the folder's manifest names; none if the manifest is missing or not valid. */
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
