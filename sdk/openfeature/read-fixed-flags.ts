import { readFile } from "node:fs/promises"
import { parseSnapshot } from "../../proxy/contract/snapshot.ts"
import { createFlags, type Flags } from "./flags.ts"
import type { DocumentOptions, FileOptions } from "./options.ts"

/** Flags that stay as they are. Rejects where the file cannot be read, or there is no document of flags in it. */
export async function readFixedFlags(
  options: FileOptions | DocumentOptions,
  breathe: () => Promise<void>,
): Promise<Flags> {
  const [name, text] =
    "file" in options
      ? [options.file, await readFile(options.file, "utf8")]
      : ["the document", JSON.stringify(options.document)] // a copy: values are frozen
  const parsed = parseSnapshot(text)
  if (parsed.kind === "invalid") throw new Error(`${name} is no document of flags: ${parsed.reason}`)
  return createFlags(parsed.value, breathe)
}
