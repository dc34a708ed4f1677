import { readFile, stat } from "node:fs/promises"
import { resolve } from "node:path"
import { parseSnapshot, type SnapshotDocument } from "../../sdk/contract/snapshot.ts"
import { chooseEnvironment } from "../evaluate/choose-environment.ts"
import type { FlagSet } from "../evaluate/flag-set.ts"
import { Failure } from "../failure.ts"
import type { Host } from "../host.ts"
import { isAddress } from "./addresses.ts"
import { createSnapshotSources, fetchDocument } from "./snapshot-sources.ts"

/**
 * Reads a snapshot from a built folder, a published set's address, a document, or a document's address, which ends in
 * `.json` or, at a proxy, in `/v1/flags`. Throws `Failure` if the snapshot is missing or damaged.
 */
export async function readSnapshots(
  source: string,
  environment: string | undefined,
  host: Host,
): Promise<FlagSet> {
  const bytes = await readDocument(source, host)
  if (bytes !== undefined) {
    if (environment !== undefined)
      throw new Failure("--snapshots names one environment's document: remove --environment")
    return flagSet(bytes, source, undefined)
  }
  const [snapshots] = await createSnapshotSources({ snapshots: [source] }, host)
  if (snapshots === undefined) throw new Error("there is no source")
  const ask = { isForced: true, signal: new AbortController().signal }
  const version = await snapshots.version(ask)
  if (version.kind !== "good") throw new Failure(version.message)
  const set = await snapshots.read(undefined, ask)
  if (set.kind !== "good") throw new Failure(set.message)
  const name = chooseEnvironment(environment, Object.keys(set.value.manifest.environments))
  const fault = set.value.faults.get(name)
  if (fault !== undefined) throw new Failure(fault.message)
  return flagSet(set.value.documents.get(name) ?? Buffer.of(), `the snapshot of ${name}`, name)
}

/** The bytes of a document; `undefined` if the source is a set. */
async function readDocument(source: string, host: Host): Promise<Uint8Array | undefined> {
  if (isAddress(source)) return /\.json$|\/v1\/flags$/.test(source) ? fetchDocument(source, host) : undefined
  const path = resolve(host.cwd, source)
  const isFile = await stat(path).then(
    (found) => found.isFile(),
    () => false,
  )
  return isFile ? readFile(path) : undefined
}

/** The flags of a document. Throws `Failure`, which names the document by `name`, if it is damaged. */
export function flagSet(bytes: Uint8Array, name: string, environment: string | undefined): FlagSet {
  const parsed = parseSnapshot(Buffer.from(bytes).toString("utf8"))
  if (parsed.kind === "invalid") throw new Failure(`${name} is not a snapshot: ${parsed.reason}`)
  const document: SnapshotDocument = parsed.value
  return { document, environment, locate: () => undefined }
}
