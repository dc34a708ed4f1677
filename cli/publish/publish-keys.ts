import { publishedKeyFile } from "../../proxy/contract/key-file.ts"
import { formatPublicKey } from "../../proxy/contract/signature.ts"
import { plural } from "../diagnostics/plural.ts"
import { Failure } from "../failure.ts"
import type { Host } from "../host.ts"
import { type Departure, warnOfOrphanedKeys } from "../keys/orphaned-keys.ts"
import { readStoredKeys } from "../keys/stored-keys.ts"
import { type KeyPlan, type KeyPlanOptions, planKeys, sendKeys } from "./key-plan.ts"
import { readPublishedKeys } from "./published-keys.ts"
import { refuseNoKeys, refuseWeakerKeys } from "./refusals.ts"
import type { PublishTarget } from "./target.ts"

/** The keys to send, and what they change at the target. */
export interface ChosenKeys {
  readonly count: number
  /** `undefined`: nothing, because the target has them. */
  readonly plan: KeyPlan | undefined
  readonly signingKey: KeyPlanOptions["signingKey"]
}

export interface ChooseKeysOptions extends KeyPlanOptions {
  /** The user's key file; `undefined`: no keys are to be sent. */
  readonly keys: string | undefined
  readonly allowWeaker?: boolean | undefined
  readonly allowShrink?: boolean | undefined
}

/** Reads the keys to send and the target's keys. Throws `Failure` if the keys are refused. */
export async function chooseKeys(
  target: PublishTarget,
  { keys: name, allowWeaker, allowShrink, ...options }: ChooseKeysOptions,
  host: Pick<Host, "cwd">,
): Promise<ChosenKeys | undefined> {
  if (name === undefined) return undefined
  const { keys } = await readStoredKeys(name, host)
  const published = await readPublishedKeys(target)
  const { signingKey } = options
  if (!allowShrink) refuseNoKeys(name, keys)
  if (!allowWeaker) refuseWeakerKeys(published, signingKey !== undefined)
  return { count: keys.length, plan: planKeys(keys, published, options), signingKey }
}

/** Warns of keys whose environment this publication removes, among those to be sent or else those at the target. */
export async function orphansLine(
  target: PublishTarget,
  name: string | undefined,
  departure: Departure,
  host: Pick<Host, "cwd">,
): Promise<string> {
  if (departure.gone.length === 0) return ""
  const keys =
    name === undefined
      ? (await readPublishedKeys(target)).file?.keys
      : (await readStoredKeys(name, host)).keys
  return warnOfOrphanedKeys(name ?? `${target.location}/${publishedKeyFile}`, keys ?? [], departure)
}

/** Sends the keys and reports it on stderr. Called after the snapshots are sent: a key needs its environment. */
export async function publishKeys(
  target: PublishTarget,
  { count, plan, signingKey }: ChosenKeys,
  { stderr }: Pick<Host, "stderr">,
): Promise<void> {
  const keys = `${publishedKeyFile} with ${plural(count, "key")}`
  if (plan === undefined) {
    stderr.write(`${target.location} already has ${keys}\n`)
    return
  }
  await sendKeys(target, plan).catch((cause: Error) => {
    throw new Failure(
      `${cause.message}\nthe snapshots are published, but the keys may not be: run the same command again`,
      { cause },
    )
  })
  const signed = signingKey === undefined ? "not signed" : `signed for ${formatPublicKey(signingKey)}`
  stderr.write(`${target.location} now has ${keys} (${signed})\n`)
}
