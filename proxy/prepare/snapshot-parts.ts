import { hash } from "node:crypto"
import { findEntrySlices } from "../contract/entry-slices.ts"
import { type ManifestEnvironment, manifestFile } from "../contract/manifest.ts"
import { invalid, type Parsed } from "../contract/parsed.ts"
import { parseFlagEntry } from "../contract/snapshot.ts"
import { type Compressed, compress } from "./compress.ts"
import { type Packed, pack } from "./packed.ts"
import { tagLength } from "./prepared-document.ts"

/** All that costs time to find out about a snapshot, in a form that passes from thread to thread. */
export interface SnapshotParts {
  /** Lower-case hex SHA-256 of the bytes. */
  readonly sha256: string
  readonly compressedList: Compressed
  /** The flags' keys in the order of the document. */
  readonly keys: readonly string[]
  /** Where each flag's entry begins and ends in the document, in bytes. */
  readonly starts: Uint32Array<ArrayBuffer>
  readonly ends: Uint32Array<ArrayBuffer>
  /** Of each entry the first `tagLength` digits of its SHA-256, one behind the other. */
  readonly tags: string
  /** The entries that are worth compressing, each at its index. */
  readonly gzip: Packed
  readonly br: Packed
}

/**
 * Checks and compresses a snapshot, entry by entry, because parsed as a whole it takes four times its size. It holds its
 * thread for as long as it takes: a third of a second for 10 MB. Invalid where the bytes are no snapshot, or
 * not the one that the manifest means: under a wrong name it would be worse than none.
 */
export function takeApart(
  bytes: Uint8Array,
  { id, file, flags }: ManifestEnvironment,
): Parsed<SnapshotParts> {
  const slices = findEntrySlices(bytes)
  if (slices.kind === "invalid") return invalid(`${file} is not a snapshot: ${slices.reason}`)
  const keys: string[] = []
  for (const { start, end } of slices.value) {
    const text = decode(bytes.subarray(start, end))
    if (text === undefined) return invalid(`${file} is not UTF-8`)
    const entry = parseFlagEntry(text, keys.length, keys.at(-1))
    if (entry.kind === "invalid") return invalid(`${file} is not a snapshot: ${entry.reason}`)
    const { flag, environment } = entry.value
    if (environment !== null && (environment.environmentId !== id || environment.flagId !== flag.id))
      return invalid(
        `${file} is not the snapshot of ${id}: flags[${keys.length}] is configured for another one`,
      )
    keys.push(flag.key)
  }
  if (keys.length !== flags)
    return invalid(`${file} has ${keys.length} flags where ${manifestFile} says ${flags}`)

  const entries = slices.value.map(({ start, end }) => bytes.subarray(start, end))
  const compressed = entries.map(compress)
  const parts = {
    sha256: hash("sha256", bytes, "hex"),
    compressedList: compress(bytes),
    keys,
    starts: Uint32Array.from(slices.value, ({ start }) => start),
    ends: Uint32Array.from(slices.value, ({ end }) => end),
    tags: entries.map((entry) => hash("sha256", entry, "hex").slice(0, tagLength)).join(""),
    gzip: pack(compressed.map(({ gzip }) => gzip)),
    br: pack(compressed.map(({ br }) => br)),
  }
  return { kind: "valid", value: parts }
}

/** `undefined`: it is not UTF-8. */
function decode(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return undefined
  }
}
