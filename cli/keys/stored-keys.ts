import { isUtf8 } from "node:buffer"
import { readFile } from "node:fs/promises"
import { resolve } from "node:path"
import { isDeepStrictEqual } from "node:util"
import { parseKeyRecords } from "../../proxy/contract/key-file.ts"
import type { KeyRecord } from "../../proxy/contract/key-record.ts"
import { Failure } from "../failure.ts"
import { withLockedFile } from "./locked-file.ts"

/** What a key file says: its text, and the keys that the text means. */
export interface StoredKeys {
  readonly text: string
  readonly keys: readonly KeyRecord[]
}

/** A key file as the user named it, which is how messages name it, and the folder that the name starts from. */
export interface KeyFilePlace {
  readonly name: string
  readonly cwd: string
}

/** Reads a key file, which may hold no key. Throws a `Failure` that says where its author was mistaken. */
export async function readStoredKeys(place: KeyFilePlace): Promise<StoredKeys> {
  return (await readIfThere(place)) ?? noKeyFile(place.name)
}

/** For a command that cannot do without the file. */
export function noKeyFile(name: string): never {
  throw new Failure(`${name} does not exist; \`flagstone keys create <environment>\` makes it`)
}

/**
 * Changes a key file; no change made by another process at the same moment is lost. `change` is given what is stored,
 * `undefined` where there is no file, and returns what shall be; the very same object means that nothing changes.
 */
export async function changeStoredKeys(
  place: KeyFilePlace,
  change: (stored: StoredKeys | undefined) => StoredKeys,
): Promise<StoredKeys> {
  return withLockedFile(resolve(place.cwd, place.name), async (replace) => {
    const before = await readIfThere(place)
    const after = change(before)
    if (after === before) return after
    refuseDamage(after, place.name)
    await replace(after.text)
    return after
  })
}

async function readIfThere({ name, cwd }: KeyFilePlace): Promise<StoredKeys | undefined> {
  const bytes = await readFile(resolve(cwd, name)).catch((cause: NodeJS.ErrnoException) => {
    if (cause.code === "ENOENT") return undefined
    throw new Failure(`${name} cannot be read: ${cause.message}`, { cause })
  })
  if (bytes === undefined) return undefined
  if (!isUtf8(bytes)) throw new Failure(`${name} is not UTF-8 text; save it as UTF-8`)
  const text = bytes.toString("utf8")
  const parsed = parseKeyRecords(text)
  if (parsed.kind === "valid") return { text, keys: parsed.value }
  throw new Failure(parsed.reason.replace(/^(?=\d+:\d+: )/gm, () => `${name}:`))
}

/** Edits are made in the text, where a layout that nobody foresaw could give them another meaning. */
function refuseDamage(after: StoredKeys, name: string): void {
  const parsed = parseKeyRecords(after.text)
  if (parsed.kind === "valid" && isDeepStrictEqual(parsed.value, after.keys)) return
  throw new Failure(
    `${name} is laid out in a way that cannot be edited safely; ` +
      "write `keys:` at the start of a line and below it each key as a list item of its own, `- id: …`",
  )
}
