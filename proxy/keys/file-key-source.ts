import { readFile } from "node:fs/promises"
import { parseKeyRecords } from "../contract/key-file.ts"
import { fileVersion } from "../file-version.ts"
import type { KeySource } from "./key-source.ts"

/** The keys of a key file, `keys.yaml`. */
export function createFileKeySource(path: string): KeySource {
  return {
    location: path,
    version: () => fileVersion(path),
    async read() {
      const text = await readFile(path, "utf8").catch((cause: NodeJS.ErrnoException) => {
        const mend = cause.code === "ENOENT" ? "; make one with `flagstone keys create <environment>`" : ""
        throw new Error(`cannot read the key file ${path} (${cause.code})${mend}`, { cause })
      })
      // Taking the last key away leaves `keys: []`; a file of nothing is one that somebody is about to write.
      if (text.trim() === "") throw new Error(`the key file ${path} is empty`)
      const parsed = parseKeyRecords(text)
      if (parsed.kind === "invalid") throw new Error(`the key file ${path} is not valid: ${parsed.reason}`)
      return parsed.value
    },
  }
}
