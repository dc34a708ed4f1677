import type { UserSplit } from "../../conditions/moves/group.ts"
import type { Move } from "../../conditions/moves/moves.ts"
import { sharesIn } from "../../conditions/share-range.ts"
import type { Location } from "../../diagnostics/diagnostic.ts"
import { type Phrase, phrase } from "../../diagnostics/phrase.ts"
import { canonicalJson } from "../../language/canonical-json.ts"
import { percentOf } from "../../phrases/divided-users.ts"
import { movedShares } from "../../phrases/moved-shares.ts"
import type { TransitionWithEffects } from "../effects/compared-flag.ts"
import type { FlagOnBothSides } from "../sides/pair-flags.ts"
import { locationOfChange, locationOfRule, type Warning } from "./places.ts"

/** What happens to users of a protected environment, the gravest first. */
export const gateCodes = ["everyone-changes", "many-change", "users-lose", "users-rebucketed"] as const

type GateCode = (typeof gateCodes)[number]

/** What a reviewer should see. */
export interface GateWarning extends Warning {
  readonly code: GateCode
  /** From when on, in milliseconds since the epoch; absent: at once. */
  readonly from?: number
}

/** A flag in one environment on both sides. */
export interface Compared {
  readonly pair: FlagOnBothSides
  readonly transition: TransitionWithEffects
  /** In percent. */
  readonly manyChange: number
  /** Whether the transition is of a time to come: users then get what they would not get without the change. */
  readonly isLater?: boolean
}

/** From one outcome to another. */
export type AnyMove = Pick<Move, "before" | "after">

export const isIntended = "Check that this is intended."

/** That many users change: at once, or in comparison to what they would get later. */
export function manyWords(
  users: Phrase,
  sum: number,
  { manyChange, isLater }: Pick<Compared, "manyChange" | "isLater">,
  advice: string,
): Phrase {
  const [when, what] = isLater ? ["because of this change", isIntended] : ["at once", advice]
  return phrase`${percentOf(sum, users)} get a different value ${[when]} (limit: ${manyChange} %). ${[what]}`
}

/**
 * What to do about many changes. Smaller steps are no advice if users are picked in a different way, or if a different value
 * takes the place of theirs.
 */
export function adviceFor(
  moves: readonly AnyMove[],
  splits: readonly UserSplit[],
  { match }: TransitionWithEffects,
): string {
  const isReplaced = moves.every(({ before, after }) =>
    before.rule === undefined
      ? after.rule === undefined
      : match?.pairs.some((pair) => pair.before === before.rule && pair.after === after.rule),
  )
  if (isReplaced || splits.some(isWinner)) return isIntended
  const split = splits.find(({ instead }) => instead !== undefined)
  if (split === undefined) return "Take smaller steps, or check that this is intended."
  return isByOther(split)
    ? "Users are picked by a different attribute: keep the attribute, or start a new flag."
    : "Users are picked by a different seed: keep the seed, or check that this is intended."
}

/** Whether one value takes the place of all arms. */
export function isWinner({ shares, armsBefore }: UserSplit): boolean {
  return (
    new Set(shares.map(({ after }) => after)).size === 1 &&
    movedShares(shares).every(({ before }) => armsBefore.has(before))
  )
}

/** Whether the attribute changed that users are picked by, and not only the seed. */
export function isByOther({ by, instead }: UserSplit): boolean {
  return instead !== undefined && instead.by !== by.at(-1)?.by
}

/** A flag's default before and after the change, as JSON. */
export function defaultsIn({ before, after }: FlagOnBothSides): readonly string[] {
  return [before, after].map(({ defaultValue }) => canonicalJson(defaultValue))
}

/** The place of a rule with shares after the change, or else of what replaced one. */
export function locationOfMoves(
  pair: FlagOnBothSides,
  transition: TransitionWithEffects,
  moves: readonly AnyMove[],
  part?: "attribute",
): Location {
  const rule = moves.find(({ after }) => sharesIn(after.condition).length > 0)?.after.rule
  return (
    (rule && locationOfRule(pair.after, transition.environment, rule, part)) ??
    locationOfChange(pair, transition, moves)
  )
}
