import { Command } from "commander"
import { isKeyId, type KeyRecord, keyEnd, keyState } from "../../proxy/contract/key-record.ts"
import { Failure } from "../failure.ts"
import type { Exit, ExitStatus, Host } from "../host.ts"
import { addKey, expireKey } from "../keys/edit-keys.ts"
import { latestExpiry, readExpiry } from "../keys/expiry.ts"
import { chooseId, refuseBadId } from "../keys/key-id.ts"
import { recordKey } from "../keys/record-key.ts"
import { noKeyFile } from "../keys/stored-keys.ts"
import { keyIdOption, keysOption, type OptionsOf, secretOutOption } from "./options.ts"

const declareKeysRotate = () =>
  new Command("rotate")
    .argument("<id>", "the id of the key to replace, as `keys list` shows it")
    .option("--until <when>", "when the old key ends: 12h, 14d, 2027-03-01, 2027-03-01T12:00:00Z", "7d")
    .option(
      "--expires <when>",
      "when the new key ends, after the old one; by default after as long a life as the old one was given, or never",
    )
    .addOption(keyIdOption("the old one's and a number"))
    .addOption(keysOption())
    .addOption(secretOutOption("the secret"))
    .addHelpText("after", "\nExample:\n  $ flagstone keys rotate web --until 14d --out secret.txt")

/** The argument and the options of `keys rotate`. */
export interface KeysRotateOptions extends Omit<OptionsOf<typeof declareKeysRotate>, "id"> {
  readonly old: string
  /** The new key's. */
  readonly id?: string | undefined
}

export const keysRotateCommand = (host: Host, exit: Exit) =>
  declareKeysRotate().action((old, options) => exit(runKeysRotate({ old, ...options }, host)))

/**
 * Adds a key that may do what an active one may, and ends the old one at a time, by one change of the key file: whoever
 * reads it finds both or neither. A key that ends before that keeps its end.
 */
export async function runKeysRotate(options: KeysRotateOptions, host: Host): Promise<ExitStatus> {
  const { old, keys: name } = options
  // Someone may pass the secret instead of the id: it must not be repeated in the log of a CI job.
  if (!isKeyId(old)) throw new Failure("this is not a key id; `flagstone keys list` shows the ids")
  refuseBadId(options.id)
  const now = host.now()
  const until = readExpiry("--until", options.until, now)
  const expiresAt = options.expires === undefined ? undefined : readExpiry("--expires", options.expires, now)
  if (expiresAt !== undefined && expiresAt <= until)
    throw new Failure(
      `--expires: the new key must outlive the old one, which ends at ${new Date(until).toISOString()}; write a later time, or an earlier --until`,
    )
  const { stored, place } = await recordKey(options, host, (before = noKeyFile(name), digest) => {
    const key = findActive(before.keys, old, name, now)
    if (expiresAt === undefined && mayBeRotated(key))
      throw new Failure(
        `${old} already ${endOf(key)}; was it rotated before? Say with --expires when the new key ends`,
      )
    const ended = keyEnd(key) <= until ? before : expireKey(before, old, until)
    return addKey(ended, {
      ...key,
      id: chooseId(before.keys, { id: options.id, base: baseOf(old), first: 2, file: name }),
      digest,
      createdAt: now,
      notBefore: undefined,
      expiresAt: expiresAt ?? expiryOfLife(key, now),
      revokedAt: undefined,
    })
  })
  const [replaced, key] = [stored.keys.find(({ id }) => id === old), stored.keys.at(-1)]
  if (replaced === undefined || key === undefined) throw new Error("a rotation left no key")
  host.stderr.write(
    `${name}: created key ${key.id}, which may do what ${old} may and ${endOf(key)}; its secret is ${place}\n` +
      `${name}: ${old} ${endOf(replaced)}; give its clients the new key before that\n`,
  )
  return 0
}

function findActive(keys: readonly KeyRecord[], id: string, name: string, now: number): KeyRecord {
  const key = keys.find((candidate) => candidate.id === id)
  if (key === undefined) throw new Failure(`${name} has no key ${id}; \`flagstone keys list\` shows the ids`)
  const state = keyState(key, now)
  if (state === "active") return key
  throw new Failure(
    `${id} is ${state === "not yet" ? "not valid yet" : state}, so no client uses it: create a key with \`flagstone keys create\``,
  )
}

/**
 * Whether an earlier rotation may have ended a key, so that the time that it was given is unknown. It has not if the key
 * ends a whole number of minutes after it began, as with `--expires 365d`, unless it ends on a whole minute: then both
 * times may have been written by hand, the end with `--until 2027-03-01`.
 */
function mayBeRotated({ createdAt, notBefore = createdAt, expiresAt }: KeyRecord): boolean {
  if (expiresAt === undefined) return false
  return (expiresAt - notBefore) % 60_000 !== 0 || expiresAt % 60_000 === 0
}

/** An id without the number that rotations append. */
function baseOf(id: string): string {
  return id.replace(/-\d+$/, "")
}

/** The end of a key from `now` on that has as long a life as another; `undefined`: it never ends. */
function expiryOfLife({ createdAt, notBefore = createdAt, expiresAt }: KeyRecord, now: number) {
  return expiresAt && Math.min(now + expiresAt - notBefore, latestExpiry)
}

/** When a key ends, as the end of a sentence. */
function endOf(key: KeyRecord): string {
  const end = keyEnd(key)
  return end === Infinity ? "never expires" : `expires at ${new Date(end).toISOString()}`
}
