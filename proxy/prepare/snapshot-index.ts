import { hash } from "node:crypto"
import { invalid, type Parsed } from "../../sdk/contract/parsed.ts"
import { parseFlagEntry } from "../../sdk/contract/snapshot.ts"
import { findEntrySlices } from "../contract/entry-slices.ts"
import { type ManifestEnvironment, manifestFile } from "../contract/manifest.ts"
import { type Compressed, compress } from "../http/compress.ts"
import { createByteReader } from "../reload/document-memory.ts"

/** What a request needs to know about a snapshot without waiting, in a form that can be passed between threads. */
export interface SnapshotIndex {
  /** Lower-case hex SHA-256 of the bytes. */
  readonly sha256: string
  readonly list: Compressed
  /** The flags' keys in the order of the document. */
  readonly keys: readonly string[]
  /** Where each flag's entry begins and ends in the document, in bytes. */
  readonly starts: Uint32Array<ArrayBuffer>
  readonly ends: Uint32Array<ArrayBuffer>
  /** By position: entries that are too long to be compressed while a request waits. */
  readonly longEntries: ReadonlyMap<number, Compressed>
}

/**
 * Checks a snapshot entry by entry, because parsing the whole would take four times its size in memory, and compresses
 * it. Blocks its thread for a third of a second per 10 MB. Invalid if the bytes are not a snapshot, or not the one that
 * the manifest names: a snapshot under the wrong name is worse than none.
 */
export function indexSnapshot(
  bytes: Uint8Array,
  { id, file, flags }: ManifestEnvironment,
): Parsed<SnapshotIndex> {
  const slices = findEntrySlices(bytes, createByteReader(bytes))
  if (slices.kind === "invalid") return invalid(`${file} is not a snapshot: ${slices.reason}`)
  const keys: string[] = []
  const longEntries = new Map<number, Compressed>()
  for (const { start, end } of slices.value) {
    const text = decode(bytes.subarray(start, end))
    if (text === undefined) return invalid(`${file} is not UTF-8`)
    const entry = parseFlagEntry(text, keys.length, keys.at(-1))
    if (entry.kind === "invalid") return invalid(`${file} is not a snapshot: ${entry.reason}`)
    const { flag, environment } = entry.value
    if (environment !== null && (environment.environmentId !== id || environment.flagId !== flag.id))
      return invalid(
        `${file} is not the snapshot of ${id}: flags[${keys.length}] is configured for a different environment`,
      )
    if (end - start > longestLazyEntry) longEntries.set(keys.length, compress(bytes.subarray(start, end)))
    keys.push(flag.key)
  }
  if (keys.length !== flags)
    return invalid(`${file} has ${keys.length} flags where ${manifestFile} says ${flags}`)

  const index: SnapshotIndex = {
    sha256: hash("sha256", bytes, "hex"),
    list: compress(bytes),
    keys,
    starts: Uint32Array.from(slices.value, ({ start }) => start),
    ends: Uint32Array.from(slices.value, ({ end }) => end),
    longEntries,
  }
  return { kind: "valid", value: index }
}

/** In bytes, which take about 2 ms to compress. */
const longestLazyEntry = 64 * 1024

/** `undefined`: it is not UTF-8. */
function decode(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return undefined
  }
}
