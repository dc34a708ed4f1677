import { maxKeyFileLength, parseKeyRecords } from "../contract/key-file.ts"
import type { KeyRecord } from "../contract/key-record.ts"
import { inThread } from "../prepare/in-thread.ts"
import { broken, good, type Result, unavailable } from "../reload/fault.ts"
import { readFile } from "../reload/read-file.ts"
import { digest } from "../snapshots/digest.ts"
import type { KeySource } from "./key-source.ts"

/** The keys of a key file, `keys.yaml`. Its content is its version: the times of a file that is written again and again say nothing. */
export function createFileKeySource(path: string): KeySource {
  let bytes: Result<Buffer> = unavailable(`the key file ${path} was not read yet`)
  return {
    location: path,
    async version() {
      bytes = await readKeyFile(path)
      return good(bytes.kind === "good" ? await digest(bytes.value) : bytes.message)
    },
    read: async (_, { signal }) =>
      bytes.kind === "good" ? parseRecords(bytes.value.toString(), path, signal) : bytes,
  }
}

async function readKeyFile(path: string): Promise<Result<Buffer>> {
  try {
    return good(await readFile(path, maxKeyFileLength))
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (code === undefined) return broken(`the key file ${path} ${message}`)
    const fix = code === "ENOENT" ? "; make one with `flagstone keys create <environment>`" : ""
    return unavailable(`cannot read the key file ${path} (${code})${fix}`)
  }
}

async function parseRecords(
  text: string,
  path: string,
  signal: AbortSignal,
): Promise<Result<readonly KeyRecord[]>> {
  // Taking the last key away leaves `keys: []`; an empty file is one that somebody is about to write.
  if (text.trim() === "") return broken(`the key file ${path} is empty`)
  const parsed = text.length < worthThread ? parseKeyRecords(text) : await parseInThread(text, signal)
  return parsed.kind === "valid"
    ? good(parsed.value)
    : broken(`the key file ${path} is not valid: ${parsed.reason}`)
}

function parseInThread(text: string, signal: AbortSignal): Promise<ReturnType<typeof parseKeyRecords>> {
  return inThread("key-file-worker", import.meta.url, { workerData: text }, signal)
}

/** Characters, some four keys. Requests wait while this thread parses: 8 KiB of brackets would take it 0.1 s, 1 MiB of keys 0.4 s. */
const worthThread = 1024
