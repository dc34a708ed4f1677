import { resolve } from "node:path"
import { manifestFile } from "../../proxy/contract/manifest.ts"
import { createFolder } from "../../proxy/reload/folder.ts"
import type { Trust } from "../../proxy/reload/trust.ts"
import { createSnapshotCache } from "../../proxy/snapshots/snapshot-cache.ts"
import { createSnapshotSource, fixOfSet, type SnapshotSource } from "../../proxy/snapshots/snapshot-source.ts"
import { Failure } from "../failure.ts"
import type { Host } from "../host.ts"
import { cacheFolderOf, isAddress, readAddress, readAuthorization } from "./addresses.ts"
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
  const authorization = readAuthorization(host, snapshots)
  if (verifyTarget !== undefined && (verifyKey === undefined || snapshots.length > 1))
    throw new Failure(
      "--verify-target needs --verify-key, without which it proves nothing, and a single --snapshots",
    )
  const trust = readTrust(options)
  const sources = snapshots.map(async (source): Promise<SnapshotSource> => {
    if (!isAddress("--snapshots", source))
      return createSnapshotSource(createFolder(resolve(host.cwd, source), fixOfSet), trust)
    const { url, ...proof } = await readAddress("--snapshots", source, authorization, host)
    const base = folderOf(url)
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
        ...proof,
        fixOf: () => "publish the snapshots there",
      }),
      trust,
      check && cache !== undefined ? { ...cache, write: async () => undefined } : cache,
    )
  })
  return Promise.all(sources)
}

/** The publisher whose sets are trusted. */
export function readTrust({ verifyKey, verifyTarget, allowOlder = false }: SnapshotSourcesOptions): Trust {
  return { publicKey: verifyKey, allowOlder, target: verifyTarget?.replace(/\/+$/, "") }
}

/** The address with a slash at its end. */
function folderOf(url: URL): URL {
  return url.pathname.endsWith("/") ? url : new URL(`${url.href}/`)
}
