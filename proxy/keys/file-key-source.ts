import { readFile } from "node:fs/promises"
import { parseKeyRecords } from "../contract/key-file.ts"
import type { KeyRecord } from "../contract/key-record.ts"
import { fileVersion } from "../reload/file-version.ts"
import type { KeySource } from "./key-source.ts"

/**
 * The keys of a key file, `keys.yaml`. Half of a key file is often a key file, too, with fewer keys or without the line
 * that revokes one; SDKs that are told 401 because of it never ask again. So a change is believed when two looks, one
 * poll apart, find the same file, or when the look is forced.
 */
export function createFileKeySource(path: string): KeySource {
  let seen: string | undefined
  let tried: string | undefined
  let wasGood = false
  return {
    location: path,
    async look(force) {
      const version = await fileVersion(path)
      if (version === tried && !force) {
        seen = version
        return { kind: wasGood ? "same" : "waiting" }
      }
      if (version !== seen && !force) {
        seen = version
        return { kind: "waiting" }
      }
      seen = version
      tried = version
      wasGood = false
      const text = await readText(path).catch((error) => {
        tried = undefined // what forbids it may pass and leave no trace
        throw error
      })
      const records = parseRecords(text, path)
      if ((await fileVersion(path)) !== version) {
        tried = undefined // it is being written this moment
        return { kind: "waiting" }
      }
      wasGood = true
      return { kind: "found", value: records }
    },
  }
}

async function readText(path: string): Promise<string> {
  return readFile(path, "utf8").catch((cause: NodeJS.ErrnoException) => {
    const fix = cause.code === "ENOENT" ? "; make one with `flagstone keys create <environment>`" : ""
    throw new Error(`cannot read the key file ${path} (${cause.code})${fix}`, { cause })
  })
}

function parseRecords(text: string, path: string): readonly KeyRecord[] {
  // Taking the last key away leaves `keys: []`; a file of nothing is one that somebody is about to write.
  if (text.trim() === "") throw new Error(`the key file ${path} is empty`)
  const parsed = parseKeyRecords(text)
  if (parsed.kind === "invalid") throw new Error(`the key file ${path} is not valid: ${parsed.reason}`)
  return parsed.value
}
