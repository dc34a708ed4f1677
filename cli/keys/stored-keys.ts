import { isUtf8 } from "node:buffer"
import { realpath } from "node:fs/promises"
import { dirname, resolve } from "node:path"
import { isDeepStrictEqual } from "node:util"
import { maxKeyFileLength, parseKeyRecords } from "../../proxy/contract/key-file.ts"
import type { KeyRecord } from "../../proxy/contract/key-record.ts"
import { Failure } from "../failure.ts"
import { withLock } from "../files/lock.ts"
import { readIfThere } from "../files/read-if-there.ts"
import { replaceFile } from "../files/replace-file.ts"
import { syncFolder } from "../files/write-synced.ts"
import type { Host } from "../host.ts"

/** A key file: its text, and the keys in it. */
export interface StoredKeys {
  readonly text: string
  readonly keys: readonly KeyRecord[]
}

/** Reads a key file, which may be empty. Throws a `Failure` with the position of the mistake. */
export async function readStoredKeys(name: string, { cwd }: Pick<Host, "cwd">): Promise<StoredKeys> {
  return (await readKeyFile(resolve(cwd, name), name)) ?? noKeyFile(name)
}

/** Throws for a command that needs the file. */
export function noKeyFile(name: string): never {
  throw new Failure(`${name} does not exist; \`flagstone keys create <environment>\` creates it`)
}

/**
 * Changes a key file without losing changes that another process makes at the same time. `change` gets the stored keys,
 * `undefined` if there is no file, and returns what to store; if it returns the same object, nothing is written.
 * Follows a symbolic link. If `beforeWrite` throws, the file is unchanged.
 */
export async function changeStoredKeys(
  name: string,
  host: Pick<Host, "cwd" | "pid" | "isRunning">,
  change: (stored: StoredKeys | undefined) => StoredKeys,
  beforeWrite: () => Promise<void> = async () => undefined,
): Promise<StoredKeys> {
  const named = resolve(host.cwd, name)
  const path = await realpath(named).catch(() => named)
  return withLock(`${path}.lock`, host, async () => {
    const before = await readKeyFile(path, name)
    const after = change(before)
    if (after === before) return after
    refuseDamage(after, name)
    await beforeWrite()
    await write(path, after.text)
    return after
  })
}

/**
 * The proxy may run as a different user from the one who edits its keys, so the file keeps its owner. Throws `Failure`,
 * which says whether the file has changed.
 */
async function write(path: string, text: string): Promise<void> {
  await replaceFile(path, text, { keepsOwner: true, mode: 0o600 }).catch((cause: Error) => {
    throw new Failure(`${path} cannot be written, so it is unchanged: ${cause.message}`, { cause })
  })
  // A revocation must survive a crash.
  await syncFolder(dirname(path)).catch((cause: Error) => {
    throw new Failure(`${path} is changed, which a crash of the machine may undo: ${cause.message}`, {
      cause,
    })
  })
}

async function readKeyFile(path: string, name: string): Promise<StoredKeys | undefined> {
  const bytes = await readIfThere(path).catch((cause: Error) => {
    throw new Failure(`${name} cannot be read: ${cause.message}`, { cause })
  })
  if (bytes === undefined) return undefined
  if (!isUtf8(bytes)) throw new Failure(`${name} is not UTF-8 text; save it as UTF-8`)
  const text = bytes.toString("utf8")
  const parsed = parseKeyRecords(text)
  if (parsed.kind === "valid") return { text, keys: parsed.value }
  throw new Failure(parsed.reason.replace(/^(?=\d+:\d+: )/gm, () => `${name}:`))
}

/**
 * Throws `Failure` if proxies would refuse the file, or an edit went wrong: edits change the text, and an unforeseen
 * layout could change their meaning.
 */
function refuseDamage(after: StoredKeys, name: string): void {
  const length = Buffer.byteLength(after.text)
  if (length > maxKeyFileLength)
    throw new Failure(
      `${name} would take ${length} bytes, and proxies read at most ${maxKeyFileLength}; remove keys that expired long ago`,
    )
  const parsed = parseKeyRecords(after.text)
  if (parsed.kind === "valid" && isDeepStrictEqual(parsed.value, after.keys)) return
  throw new Failure(
    `${name} is laid out in a way that cannot be edited safely; ` +
      "write `keys:` at the start of a line and each key under it as a separate list item, `- id: …`",
  )
}
