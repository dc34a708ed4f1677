import { rm } from "node:fs/promises"
import { dirname, resolve } from "node:path"
import { Failure } from "../failure.ts"
import { syncFolder, writeSynced } from "../files/write-synced.ts"
import type { Host } from "../host.ts"

/**
 * Creates a file with a secret in one line, which only its owner can read, and resolves when it is on the disk. Throws
 * `Failure`, and leaves no file, if it cannot be written; what is at that path, a link included, is never overwritten.
 */
export async function writeSecretFile(name: string, secret: string, host: Pick<Host, "cwd">): Promise<void> {
  const path = resolve(host.cwd, name)
  await writeSynced(path, `${secret}\n`, { mode: 0o600 }).catch((cause: NodeJS.ErrnoException) => {
    const what =
      cause.code === "EEXIST"
        ? "already exists: choose a different --out"
        : cause.code === "ENOENT"
          ? "cannot be written: its folder does not exist"
          : `cannot be written: ${cause.message}`
    throw new Failure(`${name} ${what}; nothing was changed`, { cause })
  })
  await syncFolder(dirname(path)).catch(async (cause: Error) => {
    await removeSecretFile(name, host)
    throw new Failure(`${name} cannot be written: ${cause.message}; nothing was changed`, { cause })
  })
}

/** Removes a file that `writeSecretFile` created, because its key was not recorded. */
export async function removeSecretFile(name: string, { cwd }: Pick<Host, "cwd">): Promise<void> {
  await rm(resolve(cwd, name), { force: true })
}
