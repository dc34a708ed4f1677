import { resolve } from "node:path"
import { Failure } from "../failure.ts"
import type { Host } from "../host.ts"
import { mintKey } from "./mint-key.ts"
import { removeSecretFile, writeSecretFile } from "./secret-file.ts"
import { changeStoredKeys, readStoredKeys, type StoredKeys } from "./stored-keys.ts"

/** Where a new key goes. */
export interface KeyPlace {
  /** The key file. */
  readonly keys: string
  /** The new file for the secret; `undefined`: stdout. */
  readonly out?: string | undefined
}

/** What `recordKey` leaves: the keys that are stored, and words for where the secret is. */
export interface Recorded {
  readonly stored: StoredKeys
  readonly place: string
}

/**
 * Makes a key, and changes the key file with its digest. The secret goes to stdout or the new file `out`, and nowhere else.
 * It is written there before the key is recorded, so that no key is recorded whose secret is lost; if the key is not
 * recorded, the file is removed. Throws `Failure`, even if the key is recorded.
 */
export async function recordKey(
  { keys, out }: KeyPlace,
  host: Host,
  change: (stored: StoredKeys | undefined, digest: string) => StoredKeys,
): Promise<Recorded> {
  if (out !== undefined && resolve(host.cwd, out) === resolve(host.cwd, keys))
    throw new Failure(`${out} is the key file, which has no secrets: choose a different --out`)
  const { secret, digest } = mintKey(host.randomBytes)
  if (out !== undefined) await writeSecretFile(out, secret, host)
  const show = () => (out === undefined ? print(`${secret}\n`, host) : Promise.resolve())
  const stored = await changeStoredKeys(keys, host, (before) => change(before, digest), show).catch(
    async (error: unknown) => {
      if (out !== undefined && !(await isRecorded(keys, digest, host))) await removeSecretFile(out, host)
      throw error
    },
  )
  return { stored, place: out === undefined ? "on stdout and is not shown again" : `in ${out}` }
}

/** Rejects if stdout cannot be written, such as a file on a disk that is full. */
function print(text: string, { stdout }: Host): Promise<void> {
  return new Promise((done, fail) => stdout.write(text, (error) => (error ? fail(error) : done())))
}

/** Whether a key file that could not be changed as it should has a new key. */
function isRecorded(name: string, digest: string, host: Host): Promise<boolean> {
  return readStoredKeys(name, host).then(
    ({ keys }) => keys.some((key) => key.digest === digest),
    () => false,
  )
}
