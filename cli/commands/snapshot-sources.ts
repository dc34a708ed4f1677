import { hash, type KeyObject } from "node:crypto"
import { join, resolve } from "node:path"
import { manifestFile } from "../../proxy/contract/manifest.ts"
import { createFolder } from "../../proxy/reload/folder.ts"
import { createSnapshotCache } from "../../proxy/snapshots/snapshot-cache.ts"
import { createSnapshotSource, fixOfSet, type SnapshotSource } from "../../proxy/snapshots/snapshot-source.ts"
import { Failure } from "../failure.ts"
import { readHeaderValue } from "../header-value.ts"
import type { Host } from "../host.ts"

/** Where `serve` reads snapshots. */
export interface SnapshotSourcesOptions {
  /** Folders and addresses; `undefined`: `dist`. */
  readonly snapshots?: readonly string[]
  /** Where the last good set of each address is kept; `undefined`: nowhere. */
  readonly cacheDir?: string
  /** The public half by which manifests must be signed; `undefined`: they need no signature. */
  readonly verifyKey?: KeyObject
  readonly allowOlder?: boolean
  /** The only place that manifests may have been published to; with one source alone. */
  readonly verifyTarget?: string
  /** Only reads: nothing is written into `cacheDir`. */
  readonly check?: boolean
}

/** A source for each folder or address. Throws a `Failure` where an address or the authorization cannot be used. */
export async function createSnapshotSources(
  {
    snapshots = ["dist"],
    cacheDir,
    verifyKey,
    verifyTarget,
    allowOlder = false,
    check = false,
  }: SnapshotSourcesOptions,
  host: Host,
): Promise<readonly SnapshotSource[]> {
  const authorization = readAuthorization(host.env.FLAGSTONE_SNAPSHOTS_AUTHORIZATION)
  const addresses = snapshots.filter(isAddress).map(parseAddress)
  if (authorization !== undefined && new Set(addresses.map(({ origin }) => origin)).size > 1)
    throw new Failure(
      "FLAGSTONE_SNAPSHOTS_AUTHORIZATION would go to several servers; run a proxy for each, or put them behind one",
    )

  if (verifyTarget !== undefined && (verifyKey === undefined || snapshots.length > 1))
    throw new Failure(
      "--verify-target is for one --snapshots, with --verify-key: without a signature it proves nothing",
    )
  const trust = verifyKey && { publicKey: verifyKey, allowOlder, target: verifyTarget?.replace(/\/+$/, "") }
  const sources = snapshots.map(async (source): Promise<SnapshotSource> => {
    if (!isAddress(source))
      return createSnapshotSource(createFolder(resolve(host.cwd, source), fixOfSet), trust)
    const base = parseAddress(source)
    const cache =
      cacheDir === undefined
        ? undefined
        : createSnapshotCache(join(resolve(host.cwd, cacheDir), folderOf(base)), trust)
    // Loaded when needed: its HTTP client costs as much to load as the whole server.
    const { createAddress } = await import("../../proxy/reload/address.ts")
    return createSnapshotSource(
      createAddress({ base, first: manifestFile, authorization }),
      trust,
      check && cache !== undefined ? { ...cache, write: async () => undefined } : cache,
    )
  })
  return Promise.all(sources)
}

/** The document at an address, with the same authorization. Throws `Failure` where it cannot be had. */
export async function fetchDocument(address: string, host: Host): Promise<Uint8Array> {
  const url = parseAddress(address)
  const [, folder = "", file = ""] = /^(.*\/)([^/]+)\/$/.exec(url.pathname) ?? []
  url.pathname = folder
  const { createAddress } = await import("../../proxy/reload/address.ts")
  const authorization = readAuthorization(host.env.FLAGSTONE_SNAPSHOTS_AUTHORIZATION)
  const place = createAddress({ base: url, first: file, authorization })
  const ask = { isForced: true, signal: new AbortController().signal }
  const fetched = await place.read(file, longestDocument, ask)
  if (fetched.kind !== "good") throw new Failure(fetched.message)
  return fetched.value
}

const longestDocument = 64 * 1024 * 1024

function isAddress(text: string): boolean {
  return /^https?:\/\//i.test(text)
}

/** The address of a folder. Addresses are logged, so they must not hold a password. */
function parseAddress(text: string): URL {
  const url = URL.parse(text)
  if (url === null)
    throw new Failure("--snapshots: this is not an address; write https://flags.example/shop/")
  if (url.username !== "" || url.password !== "")
    throw new Failure(
      "--snapshots: an address is logged; put what the server asks for into FLAGSTONE_SNAPSHOTS_AUTHORIZATION",
    )
  if (url.search !== "" || url.hash !== "")
    throw new Failure("--snapshots: write the address of the folder, without what follows `?` or `#`")
  if (!url.pathname.endsWith("/")) url.pathname += "/"
  return url
}

/** Each address has a folder of its own: two may hold the same project. */
function folderOf({ href }: URL): string {
  return hash("sha256", href, "hex").slice(0, 16)
}

function readAuthorization(text: string | undefined): string | undefined {
  if (text === undefined || text === "") return undefined
  return readHeaderValue("FLAGSTONE_SNAPSHOTS_AUTHORIZATION", text)
}
