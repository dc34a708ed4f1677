import { mkdir, rm, truncate } from "node:fs/promises"
import { join } from "node:path"
import { isObject } from "../../sdk/contract/parsed.ts"
import { maxKeyFileLength } from "../contract/key-file.ts"
import { maxSignatureLength } from "../contract/signature.ts"
import { nothingCached, removeOld, replaceFile } from "../reload/cache-folder.ts"
import { good, type Result, unavailable } from "../reload/fault.ts"
import { readFile } from "../reload/folder.ts"
import type { SourceCache } from "../reload/source.ts"
import { anyone, isOlder, type Trust } from "../reload/trust.ts"
import { imprintOfKeyFile, type KeySet, readKeySet } from "./key-set.ts"

/**
 * A cache in `directory`, which is created when needed and has no other content. One file holds both the key file and
 * its signature, so that they are replaced together, even if several proxies share the folder.
 * If it cannot be written, it is removed or emptied: a key that was revoked since must not work again after a restart.
 */
export function createKeyCache(directory: string, trust: Trust = anyone): SourceCache<KeySet> {
  const path = join(directory, cacheFile)

  async function read(): Promise<Result<KeySet>> {
    const bytes = await readFile(path, longest).catch(({ code, message }: NodeJS.ErrnoException) =>
      unavailable(code === "ENOENT" ? nothingCached : message),
    )
    if (!Buffer.isBuffer(bytes)) return bytes
    const cached = parseCached(bytes.toString())
    if (cached === undefined) return unavailable(`${path} is damaged`)
    const { keys, signatures } = cached
    const readSignatures = async () => good(signatures)
    return readKeySet({ location: path, bytes: keys, readSignatures, trust }, undefined)
  }

  return {
    location: directory,
    read,
    async write(set) {
      await mkdir(directory, { recursive: true, mode: 0o700 })
      const before = await read()
      const cached = before.kind === "good" ? before.value : undefined
      // A proxy that reads an outdated copy of the store must not make the proxies that share the folder go back.
      if (
        trust.publicKey &&
        !trust.allowOlder &&
        isOlder(imprintOfKeyFile(set), cached && imprintOfKeyFile(cached))
      )
        return
      const file = {
        keys: set.bytes.toString("base64"),
        signatures: set.signatures?.toString("base64") ?? "",
      }
      try {
        await replaceFile(directory, cacheFile, Buffer.from(JSON.stringify(file)))
      } catch (error) {
        if (cached?.bytes.equals(set.bytes) === true) throw error
        const isGone = await rm(path, { force: true })
          .catch(() => truncate(path)) // a folder that cannot be written may have a file that can
          .then(
            () => true,
            () => cached === undefined,
          )
        if (isGone) throw error
        const { message } = error as Error
        throw new Error(`${message}; the older keys could not be removed, either: delete the folder`, {
          cause: error,
        })
      }
      await removeOld(directory, cacheFile, new Set([cacheFile]))
    },
  }
}

const cacheFile = "keys.json"

/** In bytes: base64 turns three into four. */
const longest = Math.ceil(((maxKeyFileLength + maxSignatureLength) * 4) / 3) + 100

function parseCached(text: string): { readonly keys: Buffer; readonly signatures: Buffer } | undefined {
  try {
    const file: unknown = JSON.parse(text)
    if (!isObject(file) || typeof file.keys !== "string" || typeof file.signatures !== "string")
      return undefined
    return { keys: Buffer.from(file.keys, "base64"), signatures: Buffer.from(file.signatures, "base64") }
  } catch {
    return undefined
  }
}
