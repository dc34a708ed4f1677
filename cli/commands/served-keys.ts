import { posix, resolve } from "node:path"
import { createKeyCache } from "../../proxy/keys/key-cache.ts"
import { createKeyFileSource, createKeySource, type KeySource } from "../../proxy/keys/key-source.ts"
import { Failure } from "../failure.ts"
import type { Host } from "../host.ts"
import { cacheFolderOf, isAddress, readAddress, readAuthorization } from "./addresses.ts"
import type { ServeOptions } from "./serve-options.ts"
import { readTrust } from "./snapshot-sources.ts"

/**
 * Creates the source of the keys. Throws a `Failure` if the address is not safe: anyone who can replace the keys in
 * transit gets in, so no one may be able to impersonate the address, or its files must be signed.
 */
export async function createServedKeys(options: ServeOptions, host: Host): Promise<KeySource> {
  if (!isAddress("--keys", options.keys)) return createKeyFileSource(resolve(host.cwd, options.keys))
  const authorization = readAuthorization(host, [...options.snapshots, options.keys])
  const { url, ...proof } = await readAddress("--keys", options.keys, authorization, host)
  const file = posix.basename(url.pathname)
  if (options.keys.endsWith("/")) throw new Failure(`--keys: add the file's name: ${options.keys}keys.yaml`)
  if (options.verifyKey === undefined && url.protocol !== "https:" && !isLoopback(url))
    throw new Failure(
      "--keys: an attacker could replace keys sent over http://; use https://, or --verify-key with the public half of the key that publish signs with",
    )
  const trust = readTrust(options)
  const cache =
    options.cacheDir === undefined
      ? undefined
      : createKeyCache(resolve(host.cwd, options.cacheDir, cacheFolderOf(url)), trust)
  // Loaded when needed: its HTTP client costs as much to load as the whole server.
  const { createAddress } = await import("../../proxy/reload/address.ts")
  return createKeySource({
    folder: createAddress({
      base: new URL(".", url),
      first: file,
      ...proof,
      fixOf: (name) =>
        name === file
          ? "publish it with `flagstone publish --keys`"
          : "publish it with FLAGSTONE_SIGNING_KEY",
    }),
    file,
    location: url.href,
    trust,
    cache: options.check === true && cache ? { ...cache, write: async () => undefined } : cache,
  })
}

/** True for this machine, which no one else can impersonate. */
function isLoopback({ hostname }: URL): boolean {
  return hostname === "localhost" || hostname === "[::1]" || /^127(\.\d{1,3}){3}$/.test(hostname)
}
