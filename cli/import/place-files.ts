import { join } from "node:path"
import { flagKeyPattern } from "../language/names.ts"

/** A flag's file, and its `key:` where the file name cannot be the key. */
export interface Placed {
  readonly path: string
  readonly key: string | undefined
}

/** Names that are reserved on Windows or by Flagstone. */
const reserved = /^(?:con|prn|aux|nul|com\d|lpt\d|project|invariants)(?:\.|$)|\.(?:segment|spec)$|\.$/i

/** Gives each flag key a file. No two paths differ only in case, because some file systems ignore case. */
export function placeFiles(keys: readonly string[], folder: string): ReadonlyMap<string, Placed> {
  const taken = new Set<string>()
  return new Map(
    keys
      .filter((key) => flagKeyPattern.test(key))
      .map((key): [string, Placed] => {
        const parts = key
          .split("/")
          .map((part) => (part === "" || reserved.test(part) || part.startsWith(".") ? `_${part}_` : part))
        const base = parts.join("/").slice(0, 150)
        let name = base
        for (let number = 2; taken.has(name.toLowerCase()); number++) name = `${base}-${number}`
        taken.add(name.toLowerCase())
        return [
          key,
          { path: join(folder, `${name}.yaml`), key: name === key && !key.includes("/") ? undefined : key },
        ]
      }),
  )
}
