import { findEntrySlices } from "../../proxy/contract/entry-slices.ts"
import { parseSnapshot } from "../../proxy/contract/snapshot.ts"
import { Failure } from "../failure.ts"
import { apiPath, isAddressable, notFoundBody, notFoundPath } from "./layout.ts"

/** Where the API's paths of a publication are. */
export interface ApiPlaces {
  /** By environment name: the folder below which its paths are. */
  readonly bases: Readonly<Record<string, string>>
  /** Whether each flag has a file of its own, too. */
  readonly perFlag: boolean
}

/**
 * The files in the API's own shape, by path: byte for byte what the proxy answers, because both are the document or
 * parts of it. Throws `Failure` for a document that is no snapshot or a key that no address can end in.
 */
export function apiFiles(documents: ReadonlyMap<string, Buffer>, places: ApiPlaces): Map<string, Buffer> {
  const files = new Map<string, Buffer>([[notFoundPath, notFoundBody]])
  for (const [environment, document] of documents) {
    const base = places.bases[environment]
    if (base === undefined) continue
    files.set(apiPath(base), document)
    if (!places.perFlag) continue
    for (const [key, bytes] of flagsOf(document)) {
      if (!isAddressable(key))
        throw new Failure(
          `the flag key ${key} cannot end an address; rename it or publish without --per-flag`,
        )
      files.set(apiPath(base, key), bytes)
    }
  }
  return files
}

/** Each flag's part of a document, by flag key. Throws `Failure` where it is no snapshot. */
export function flagsOf(document: Buffer): ReadonlyMap<string, Buffer> {
  const snapshot = parseSnapshot(document.toString("utf8"))
  if (snapshot.kind === "invalid") throw new Failure(`a document is not a snapshot: ${snapshot.reason}`)
  const slices = findEntrySlices(document)
  if (slices.kind === "invalid") throw new Failure(`a document is not a snapshot: ${slices.reason}`)
  const flags = new Map<string, Buffer>()
  for (const [index, { start, end }] of slices.value.entries()) {
    const key = snapshot.value.flags[index]?.flag.key
    if (key !== undefined) flags.set(key, document.subarray(start, end))
  }
  return flags
}
