import { parseMoment } from "../../sdk/evaluation/moment.ts"

/** A state as docs/lifecycle.md defines it, since when, in milliseconds since 1970, and in which environments. */
export interface Reason {
  readonly state: "settled" | "settled-in-protected" | "never-on" | "stuck" | "expired" | "unused"
  readonly since: number
  readonly environments: readonly string[]
}

/** What decides whether a flag is stale. Values are compared with `===`. Times are in milliseconds since 1970. */
export interface Standing<Value> {
  /** A date; `""`: none. */
  readonly expires: string
  readonly createdAt: number
  readonly defaultValue: Value
  readonly given: readonly Given<Value>[]
  /** When code stopped referring to it; absent if code still does, or none was searched. */
  readonly unusedSince?: number | undefined
}

/** What a flag gives in an environment that configures it. */
export interface Given<Value> {
  readonly environment: string
  readonly isProtected: boolean
  /** The one value that everyone gets; `undefined`: there are several, or may be. */
  readonly only: Value | undefined
  /** Whether a rule has a share of users. */
  readonly isShared: boolean
  /** When this configuration or the flag's own members changed. */
  readonly changedAt: number
}

/** What staleness is measured against, in milliseconds. */
export interface StaleAt {
  readonly now: number
  /** How long a flag must have been unchanged; `Infinity`: it is meant to stay. */
  readonly after: number
}

/** Returns why a flag can go or needs a decision, and the one value that everyone gets, everywhere or where it is protected. */
export function assess<Value>(
  { expires, createdAt, defaultValue, given, unusedSince }: Standing<Value>,
  { now, after }: StaleAt,
): { readonly reasons: readonly Reason[]; readonly keep: Value | undefined } {
  const reasons: Reason[] = []
  if (after === Number.POSITIVE_INFINITY) return { reasons, keep: undefined }
  const guarded = given.filter(({ isProtected }) => isProtected)
  const isQuiet = (some: readonly Given<Value>[]) => now - newest(some) >= after
  const [all, live] = [oneValue(given), oneValue(guarded)]
  const isUntouched = given.every(({ only }) => only === defaultValue) && newest(given) <= createdAt
  const stuck = guarded.filter((one) => one.only === undefined && one.isShared && isQuiet([one]))
  const expiry = parseMoment(expires)

  const add = (state: Reason["state"], since: number, about: readonly Given<Value>[]) =>
    reasons.push({ state, since, environments: about.map(({ environment }) => environment) })
  if (isUntouched && now - createdAt >= 2 * after) add("never-on", createdAt, given)
  else if (all !== undefined && isQuiet(given)) add("settled", newest(given), given)
  else if (all === undefined && live !== undefined && isQuiet(guarded))
    add("settled-in-protected", newest(guarded), guarded)
  for (const one of stuck) add("stuck", one.changedAt, [one])
  if (expiry !== undefined && expiry <= now) add("expired", expiry, [])
  if (unusedSince !== undefined && now - unusedSince >= after) add("unused", unusedSince, [])
  return { reasons, keep: isUntouched ? defaultValue : (all ?? live) }
}

const newest = (given: readonly Given<unknown>[]) => Math.max(0, ...given.map(({ changedAt }) => changedAt))

/** The value that everyone gets in all these environments. */
function oneValue<Value>([first, ...others]: readonly Given<Value>[]): Value | undefined {
  return others.every(({ only }) => only === first?.only) ? first?.only : undefined
}
