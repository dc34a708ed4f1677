import { findEntrySlices } from "../../proxy/contract/entry-slices.ts"
import { parseSnapshot } from "../../sdk/contract/snapshot.ts"
import { Failure } from "../failure.ts"
import { apiPath, isAddressable, notFoundBody, notFoundPath } from "./layout.ts"
import type { Publication } from "./publication.ts"

/** How the API's paths of a publication are laid out. */
export interface ApiLayout {
  /** The folder of each environment's paths, by environment name. */
  readonly bases: Readonly<Record<string, string>>
  /** The folders of earlier addresses that clients still read, by environment name; absent: none. */
  readonly oldBases?: Readonly<Record<string, readonly string[]>> | undefined
  /** Whether each flag also has its own file. */
  readonly perFlag: boolean
}

/**
 * The files in the API's own shape, by path: byte for byte what the proxy answers, because both are the document or
 * parts of it. Keys that cannot end a URL have no file. Throws `Failure` if a document is not a snapshot.
 */
export function apiFiles(documents: ReadonlyMap<string, Buffer>, layout: ApiLayout): Map<string, Buffer> {
  const files = new Map<string, Buffer>([[notFoundPath, notFoundBody]])
  for (const [environment, document] of documents) {
    for (const base of basesOf(layout, environment)) {
      files.set(apiPath(base), document)
      if (!layout.perFlag) continue
      for (const [key, bytes] of flagsOf(document))
        if (isAddressable(key)) files.set(apiPath(base, key), bytes)
    }
  }
  return files
}

/** All folders of an environment. */
export function basesOf({ bases, oldBases = {} }: ApiLayout, environment: string): readonly string[] {
  const base = bases[environment]
  return [...(base === undefined ? [] : [base]), ...(oldBases[environment] ?? [])]
}

/**
 * Throws `Failure` for a key that cannot end a URL, and if one path, with the `.json` that folder targets add,
 * would have to be both a file and a folder.
 */
export function refusePaths(
  { documents }: Pick<Publication, "documents">,
  { perFlag }: ApiLayout,
  paths: readonly string[],
): void {
  if (!perFlag) return
  for (const document of documents.values())
    for (const key of flagsOf(document).keys())
      if (!isAddressable(key))
        throw new Failure(
          `the flag key ${JSON.stringify(key)} cannot end a URL; rename it or publish with --no-per-flag`,
        )
  const all = new Set(paths)
  for (const path of paths)
    for (let end = path.indexOf("/"); end > 0; end = path.indexOf("/", end + 1)) {
      const folder = path.slice(0, end)
      const other = folder.replace(/\.json$/, "")
      if (folder !== other && all.has(other))
        throw new Failure(
          `${other} and ${path} cannot be in one folder; publish once without both flags and then with one of them renamed, or publish with --no-per-flag`,
        )
    }
}

/** Each flag's part of a document, by flag key. Throws `Failure` if it is not a snapshot. */
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
