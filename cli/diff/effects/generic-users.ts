import type { Term } from "../../conditions/clause.ts"
import { shareOf, sharesIn } from "../../conditions/share-range.ts"
import { type Phrase, phrase } from "../../diagnostics/phrase.ts"
import { havingWords } from "../../phrases/divided-users.ts"
import { userWords } from "../../phrases/users.ts"
import type { GenericShare } from "../transitions/generic-users.ts"
import type { TransitionWithEffects } from "./compared-flag.ts"
import type { Effect } from "./effect.ts"

type Moved = Pick<GenericShare, "before" | "after">

/** The users of whom those that move are a percentage: they have every attribute by which some are picked. */
export function genericUsers(moved: readonly Moved[], transition: TransitionWithEffects): Phrase {
  const effects = effectsOn(moved, transition)
  const { whom, except } = userWords(dividedTerm(effects))
  const splits = effects.flatMap(({ group }) => group?.split ?? [])
  const shares = moved.flatMap(({ before, after }) =>
    [before, after].flatMap((each) => sharesIn(each.condition)),
  )
  const by = [
    ...shares,
    ...splits.flatMap((split) => [...split.by, ...(split.instead ? [split.instead] : [])]),
  ]
  return phrase`users${whom}${havingWords({ by, instead: undefined })}${except}`
}

/** The effects that say what happens to generic users. */
export function effectsOn(moved: readonly Moved[], { effects }: TransitionWithEffects): readonly Effect[] {
  const isOne = (move: Moved) => moved.some((one) => one.before === move.before && one.after === move.after)
  return effects.filter(({ group }) => group?.moves.some(isOne))
}

/** The users of whom shares take a part, if one sentence is about them; else everyone: their part is of all users. */
function dividedTerm(effects: readonly Effect[]): Term {
  const [{ group } = {}, ...others] = effects
  if (group === undefined || others.some((other) => other.group?.split !== group.split)) return []
  const [term = [], ...more] = group.split?.isKnown ? [group.split.who] : group.users
  if (more.length > 0 || (others.length > 0 && !group.split?.isKnown)) return []
  const users = term.filter((clause) => group.split?.isKnown || shareOf(clause.condition) === undefined)
  return users.some(({ condition }) => sharesIn(condition).length > 0) ? [] : users
}
