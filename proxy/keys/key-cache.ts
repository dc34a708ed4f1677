import { mkdir, rm } from "node:fs/promises"
import { join } from "node:path"
import { isObject } from "../../sdk/contract/parsed.ts"
import { maxKeyFileLength } from "../contract/key-file.ts"
import { maxSignatureLength } from "../contract/signature.ts"
import { removeOld, replaceFile } from "../reload/cache-folder.ts"
import { good, type Result, unavailable } from "../reload/fault.ts"
import { readFile } from "../reload/folder.ts"
import type { SourceCache } from "../reload/source.ts"
import { anyone, isOlder, type Trust } from "../reload/trust.ts"
import { imprintOfKeyFile, type KeySet, readKeySet } from "./key-set.ts"

/**
 * A cache in `directory`, which is created when needed and has no other content. One file holds both the key file and
 * its signature, so that they are replaced together, even if several proxies share the folder.
 * If it cannot be written, it is removed: a key that was revoked since must not work again after a restart.
 */
export function createKeyCache(directory: string, trust: Trust = anyone): SourceCache<KeySet> {
  const path = join(directory, cacheFile)

  async function read(): Promise<Result<KeySet>> {
    const bytes = await readFile(path, longest).catch((error: Error) => unavailable(error.message))
    if (!Buffer.isBuffer(bytes)) return bytes
    const kept = parseKept(bytes.toString())
    if (kept === undefined) return unavailable(`${path} is damaged`)
    const { keys, signatures } = kept
    const readSignatures = async () => good(signatures)
    return readKeySet({ location: path, bytes: keys, readSignatures, trust }, undefined)
  }

  return {
    location: directory,
    read,
    async write(set) {
      await mkdir(directory, { recursive: true, mode: 0o700 })
      const before = await read()
      const kept = before.kind === "good" ? before.value : undefined
      // A proxy that reads an outdated copy of the store must not make the proxies that share the folder go back.
      if (
        trust.publicKey &&
        !trust.allowOlder &&
        isOlder(imprintOfKeyFile(set), kept && imprintOfKeyFile(kept))
      )
        return
      const file = {
        keys: set.bytes.toString("base64"),
        signatures: set.signatures?.toString("base64") ?? "",
      }
      try {
        await replaceFile(directory, cacheFile, Buffer.from(JSON.stringify(file)))
      } catch (error) {
        if (kept?.bytes.equals(set.bytes) !== true) await rm(path, { force: true }).catch(() => undefined)
        throw error
      }
      await removeOld(directory, cacheFile, new Set([cacheFile]))
    },
  }
}

const cacheFile = "keys.json"

/** In bytes: base64 turns three into four. */
const longest = Math.ceil(((maxKeyFileLength + maxSignatureLength) * 4) / 3) + 100

function parseKept(text: string): { readonly keys: Buffer; readonly signatures: Buffer } | undefined {
  try {
    const kept: unknown = JSON.parse(text)
    if (!isObject(kept) || typeof kept.keys !== "string" || typeof kept.signatures !== "string")
      return undefined
    return { keys: Buffer.from(kept.keys, "base64"), signatures: Buffer.from(kept.signatures, "base64") }
  } catch {
    return undefined
  }
}
