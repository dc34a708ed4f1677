import { resolve } from "node:path"
import { manifestFile, maxDocumentLength } from "../../proxy/contract/manifest.ts"
import { createFolder } from "../../proxy/reload/folder.ts"
import type { Trust } from "../../proxy/reload/trust.ts"
import { createSnapshotCache } from "../../proxy/snapshots/snapshot-cache.ts"
import { createSnapshotSource, fixOfSet, type SnapshotSource } from "../../proxy/snapshots/snapshot-source.ts"
import { Failure } from "../failure.ts"
import type { Host } from "../host.ts"
import { cacheFolderOf, isAddress, parseAddress, readAuthorization } from "./addresses.ts"
import type { ServeOptions } from "./serve-options.ts"

/** Where `serve` reads snapshots. With `check`, nothing is written into `cacheDir`. */
type SnapshotSourcesOptions = Pick<
  ServeOptions,
  "snapshots" | "cacheDir" | "verifyKey" | "verifyTarget" | "allowOlder" | "check"
>

/** A source for each folder or address. Throws a `Failure` if an address or the authorization cannot be used. */
export async function createSnapshotSources(
  options: SnapshotSourcesOptions,
  host: Host,
): Promise<readonly SnapshotSource[]> {
  const { snapshots, cacheDir, verifyKey, verifyTarget, check = false } = options
  const authorization = readAuthorization(host, snapshots.filter(isAddress).map(parseFolderAddress))
  if (verifyTarget !== undefined && (verifyKey === undefined || snapshots.length > 1))
    throw new Failure(
      "--verify-target needs --verify-key, without which it proves nothing, and a single --snapshots",
    )
  const trust = readTrust(options)
  const sources = snapshots.map(async (source): Promise<SnapshotSource> => {
    if (!isAddress(source))
      return createSnapshotSource(createFolder(resolve(host.cwd, source), fixOfSet), trust)
    const base = parseFolderAddress(source)
    const cache =
      cacheDir === undefined
        ? undefined
        : createSnapshotCache(resolve(host.cwd, cacheDir, cacheFolderOf(base)), trust)
    // Loaded when needed: its HTTP client costs as much to load as the whole server.
    const { createAddress } = await import("../../proxy/reload/address.ts")
    return createSnapshotSource(
      createAddress({
        base,
        first: manifestFile,
        authorization,
        fixOf: () => "publish the snapshots there",
      }),
      trust,
      check && cache !== undefined ? { ...cache, write: async () => undefined } : cache,
    )
  })
  return Promise.all(sources)
}

/** The document at an address, with the same authorization. Throws `Failure` if it cannot be read. */
export async function fetchDocument(address: string, host: Host): Promise<Uint8Array> {
  const url = parseFolderAddress(address)
  const [, parent = "", file = ""] = /^(.*\/)([^/]+)\/$/.exec(url.pathname) ?? []
  url.pathname = parent
  const { createAddress } = await import("../../proxy/reload/address.ts")
  const authorization = readAuthorization(host, [url])
  const folder = createAddress({
    base: url,
    first: file,
    authorization,
    fixOf: () => "publish the snapshots there",
  })
  const ask = { isForced: true, signal: new AbortController().signal }
  const fetched = await folder.read(file, maxDocumentLength, ask)
  if (fetched.kind !== "good") throw new Failure(fetched.message)
  return fetched.value
}

/** The publisher whose sets are trusted; `undefined`: any. */
export function readTrust({
  verifyKey,
  verifyTarget,
  allowOlder = false,
}: SnapshotSourcesOptions): Trust | undefined {
  return verifyKey && { publicKey: verifyKey, allowOlder, target: verifyTarget?.replace(/\/+$/, "") }
}

/** The address of a folder. */
export function parseFolderAddress(text: string): URL {
  const url = parseAddress("--snapshots", text)
  if (!url.pathname.endsWith("/")) url.pathname += "/"
  return url
}
