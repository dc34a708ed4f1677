import { readFile } from "node:fs/promises"
import { parseSnapshot, type SnapshotDocument } from "../contract/snapshot.ts"
import { documentOfValues, type FlagValuesDocument } from "../evaluation/document-of-values.ts"
import { createFlags, type Flags } from "./flags.ts"
import type { DocumentOptions, FileOptions, FlagstoneProviderOptions } from "./options.ts"

/** Whether flags are given that need no server. */
export function hasFixedFlags(options: FlagstoneProviderOptions): options is FileOptions | DocumentOptions {
  return "file" in options || options.document !== undefined
}

/** Reads flags that never change. Rejects if the file cannot be read, or is not a document of flags. */
export async function readFixedFlags(options: FileOptions | DocumentOptions): Promise<Flags> {
  const [name, text] =
    "file" in options
      ? [options.file, await readFile(options.file, "utf8")]
      : ["the document", JSON.stringify(wholeDocument(options.document))] // a copy: values are frozen
  const parsed = parseSnapshot(text)
  if (parsed.kind === "invalid") throw new Error(`${name} is not a document of flags: ${parsed.reason}`)
  return createFlags(parsed.value, "file" in options ? text : undefined)
}

function wholeDocument(document: DocumentOptions["document"]): SnapshotDocument {
  return hasValues(document) ? documentOfValues(document) : document
}

/** Code without types may pass anything; the document's own parser handles all but an object of values. */
function hasValues(document: DocumentOptions["document"]): document is FlagValuesDocument {
  const flags: unknown = document?.flags
  return typeof flags === "object" && flags !== null && !Array.isArray(flags)
}
