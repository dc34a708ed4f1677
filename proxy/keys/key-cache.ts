import { mkdir } from "node:fs/promises"
import { join } from "node:path"
import { isObject } from "../../sdk/contract/parsed.ts"
import { maxKeyFileLength } from "../contract/key-file.ts"
import { maxSignatureLength } from "../contract/signature.ts"
import { removeOld, replaceFile } from "../reload/cache-folder.ts"
import { good, type Result, unavailable } from "../reload/fault.ts"
import { readFile } from "../reload/folder.ts"
import { isOlder, type Trust } from "../reload/trust.ts"
import { imprintOfKeyFile, type KeySet, readKeySet } from "./key-set.ts"

/** The last good key file of an address, on disk, so that a proxy starts while the address is down. */
export interface KeyCache {
  /** Verified as if it came from the address. */
  read(): Promise<Result<KeySet>>
  /** Replaces the file unless, with `trust`, the existing one is newer. */
  write(set: KeySet): Promise<void>
}

/**
 * A cache in `directory`, which is created when needed and has no other content. One file holds both the key file and
 * its signature, so that they are replaced together, even if several proxies share the folder.
 */
export function createKeyCache(directory: string, trust?: Trust): KeyCache {
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
    read,
    async write(set) {
      await mkdir(directory, { recursive: true, mode: 0o700 })
      // A proxy that reads an outdated copy of the store must not make the proxies that share the folder go back.
      const proved = trust && !trust.allowOlder ? await read() : undefined
      if (proved?.kind === "good" && isOlder(imprintOfKeyFile(set), imprintOfKeyFile(proved.value))) return
      const kept = {
        keys: set.bytes.toString("base64"),
        signatures: set.signatures?.toString("base64") ?? "",
      }
      await replaceFile(directory, cacheFile, Buffer.from(JSON.stringify(kept)))
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
