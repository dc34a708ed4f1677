import { basename, dirname } from "node:path"
import { maxKeyFileLength, parseKeyRecords } from "../contract/key-file.ts"
import type { KeyRecord } from "../contract/key-record.ts"
import type { Parsed } from "../contract/parsed.ts"
import { inThread } from "../prepare/in-thread.ts"
import { broken, good, type Result, unavailable } from "../reload/fault.ts"
import { createFolder } from "../reload/folder.ts"
import type { Source } from "../reload/source.ts"

/** Where the proxy's keys come from. No key at all is a valid answer. No message repeats a secret. */
export type KeySource = Source<readonly KeyRecord[]>

/** The keys of a key file. Its content is its version: the times of a file that is written again and again say nothing. */
export function createKeySource(path: string): KeySource {
  const folder = createFolder(dirname(path), () => "make it with `flagstone keys create <environment>`")
  let found: Result<Buffer> = unavailable(`the key file ${path} was not read yet`)
  return {
    location: path,
    async version(ask) {
      found = await folder.read(basename(path), maxKeyFileLength, ask)
      return folder.version(found, [])
    },
    async read(_, { signal }) {
      if (found.kind !== "good") return found
      const text = found.value.toString()
      // Taking the last key away leaves `keys: []`; an empty file is one that somebody is about to write.
      if (text.trim() === "") return broken(`the key file ${path} is empty`)
      const parsed: Parsed<readonly KeyRecord[]> =
        text.length < worthThread
          ? parseKeyRecords(text)
          : await inThread("key-file-worker", import.meta.url, { workerData: text }, signal)
      if (parsed.kind === "invalid") return broken(`the key file ${path} is not valid: ${parsed.reason}`)
      return good(parsed.value)
    },
  }
}

/** Characters, some four keys. Requests wait while this thread parses: 8 KiB of brackets would take it 0.1 s, 1 MiB of keys 0.4 s. */
const worthThread = 1024
