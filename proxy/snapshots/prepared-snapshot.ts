import { hash } from "node:crypto"
import { findEntrySlices } from "../contract/entry-slices.ts"
import { parseSnapshot } from "../contract/snapshot.ts"
import { type PreparedDocument, prepareDocument } from "./prepared-document.ts"

/** One environment's answers: the list, and each flag by its key. */
export interface PreparedSnapshot {
  /** Lower-case hex SHA-256 of the list's bytes. */
  readonly sha256: string
  readonly list: PreparedDocument
  /** Single-flag answers; their identity bytes are parts of the list's. */
  readonly flags: ReadonlyMap<string, PreparedDocument>
}

/** Prepares a snapshot file's bytes for serving. Throws when they are no snapshot; `file` names them in the message. */
export async function prepareSnapshot(bytes: Buffer, file: string): Promise<PreparedSnapshot> {
  const document = parseSnapshot(decode(bytes, file))
  if (document.kind === "invalid") throw new Error(`${file} is not a snapshot: ${document.reason}`)
  const slices = findEntrySlices(bytes)
  if (slices.kind === "invalid") throw new Error(`${file} is not a snapshot: ${slices.reason}`)
  if (slices.value.length !== document.value.flags.length)
    throw new Error(`${file} is not a snapshot: its flags cannot be told apart`)

  const list = await prepareDocument(bytes)
  const flags = new Map<string, PreparedDocument>()
  for (const [index, { start, end }] of slices.value.entries()) {
    const key = document.value.flags[index]?.flag.key
    if (key !== undefined) flags.set(key, await prepareDocument(bytes.subarray(start, end)))
  }
  return { sha256: hash("sha256", bytes, "hex"), list, flags }
}

function decode(bytes: Buffer, file: string): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch (cause) {
    throw new Error(`${file} is not UTF-8`, { cause })
  }
}
