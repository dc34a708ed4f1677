import { parseMoment } from "../../sdk/evaluation/moment.ts"
import type { RampInRule } from "../flag/times.ts"
import { deciding, type Given, keepOf, oneValue } from "./keep.ts"

/** A state as docs/lifecycle.md defines it, since when, in milliseconds since 1970, and in (`waiting`: for) which environments. */
export interface Reason {
  readonly state:
    | "settled"
    | "settled-in-protected"
    | "waiting"
    | "never-on"
    | "stuck"
    | "over"
    | "expired"
    | "unused"
  readonly since: number
  readonly environments: readonly string[]
}

/** What decides whether a flag is stale. Values are compared with `===`. Times are in milliseconds since 1970. */
export interface Standing<Value> {
  /** A date; `""`: none. */
  readonly expires: string
  readonly createdAt: number
  readonly defaultValue: Value
  /** In each environment of the project. */
  readonly given: readonly GivenSince<Value>[]
  /** When code stopped referring to it; absent if code still does, or none was searched. */
  readonly unusedSince?: number | undefined
}

/** What a flag gives in an environment, and since when. */
export interface GivenSince<Value> extends Given<Value> {
  /** Whether a rule has a share of users. */
  readonly isShared: boolean
  /** Absent: it has none. */
  readonly ramps?: readonly RampInRule[] | undefined
  /** Whether its only shares are of ramps that end with everyone. */
  readonly isOver?: boolean | undefined
  /** When this configuration or the flag's own members changed. */
  readonly changedAt: number
}

/** What staleness is measured against, in milliseconds. */
export interface StaleAt {
  readonly now: number
  /** How long a flag must have been unchanged; `Infinity`: it is meant to stay. */
  readonly after: number
}

/** Returns why a flag can go or needs a decision, and the value to keep; `undefined`: `keepOf` finds none. */
export function assess<Value>(
  { expires, createdAt, defaultValue, given: inFile, unusedSince }: Standing<Value>,
  { now, after }: StaleAt,
): { readonly reasons: readonly Reason[]; readonly keep: Value | undefined } {
  const reasons: Reason[] = []
  if (after === Number.POSITIVE_INFINITY) return { reasons, keep: undefined }
  const given = inFile.map((one) => ({ ...one, changedAt: Math.max(one.changedAt, ...lastStages(one)) }))
  const isQuiet = (some: readonly GivenSince<Value>[]) => now - newest(some) >= after
  const keep = keepOf(given, defaultValue)
  const all = oneValue(given)
  const decisive = deciding(given)
  const isUntouched = all === defaultValue && newest(given) <= createdAt
  const stuck = given.filter(
    (one) => one.isProtected && one.only === undefined && one.isShared && isQuiet([one]),
  )
  const expiry = parseMoment(expires)

  const add = (state: Reason["state"], since: number, about: readonly string[]) =>
    reasons.push({ state, since, environments: about })
  if (isUntouched && now - createdAt >= 2 * after) add("never-on", createdAt, namesOf(given))
  else if (all !== undefined && isQuiet(given)) add("settled", newest(given), namesOf(given))
  else if (all === undefined && keep.kind === "value" && isQuiet(decisive))
    add("settled-in-protected", newest(decisive), namesOf(decisive))
  else if (keep.kind === "waiting" && isQuiet(given)) add("waiting", newest(given), keep.environments)
  // Ramps of segments and other flags are over where they are written.
  for (const { isOver, ramps = [], changedAt, environment } of stuck)
    if (!isOver || ramps.some(({ of }) => of === undefined))
      add(isOver ? "over" : "stuck", changedAt, [environment])
  if (expiry !== undefined && expiry <= now) add("expired", expiry, [])
  if (unusedSince !== undefined && now - unusedSince >= after) add("unused", unusedSince, [])
  return { reasons, keep: keep.kind === "value" ? keep.value : undefined }
}

/** When each of the ramps grows for the last time. */
const lastStages = ({ ramps = [] }: GivenSince<unknown>) =>
  ramps.map(({ stages }) => stages.at(-1)?.from ?? 0)

const namesOf = (given: readonly Given<unknown>[]) => given.map(({ environment }) => environment)

const newest = (given: readonly GivenSince<unknown>[]) =>
  Math.max(0, ...given.map(({ changedAt }) => changedAt))
