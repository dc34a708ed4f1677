import { decidedBy } from "../../conditions/moves/outcome.ts"
import { type Phrase, phrase } from "../../diagnostics/phrase.ts"
import { attributesOf } from "../../phrases/divided-users.ts"
import { verbFor } from "../../phrases/users.ts"
import type { TransitionWithEffects } from "../effects/compared-flag.ts"
import { effectsOn, genericUsers } from "../effects/generic-users.ts"
import { genericShares, movedGeneric } from "../transitions/generic-users.ts"
import {
  type AnyMove,
  adviceFor,
  type Compared,
  defaultsIn,
  type GateWarning,
  isIntended,
  locationOfMoves,
  manyWords,
} from "./gate-warning.ts"

/** What generic users are warned of: everyone, or many of them, get a different value. */
export function genericChanges(compared: Compared): readonly GateWarning[] {
  const { pair, transition, manyChange, isLater } = compared
  const { before, after } = transition
  const shares = genericShares(before, after)
  const { moved, sum } = movedGeneric(shares)
  const location = () => locationOfMoves(pair, transition, moved)
  if (moved.length > 0 && moved.length === shares.length && sum === 100)
    return [
      {
        code: "everyone-changes",
        words: phrase`${everyoneWords(transition, moved)} a different value ${[isLater ? "because of this change" : "at once"]}. Is that what you want?`,
        ...location(),
      },
    ]
  if (sum === 0 || sum < manyChange) return []
  const splits = transition.effects.flatMap(({ group }) => group?.split ?? [])
  const isWhole = new Set(shares.map(({ after }) => after.value)).size === 1
  const advice =
    isWhole && moved.some((share) => share.before.rule) ? isIntended : adviceFor(moved, splits, transition)
  const users = genericUsers(moved, transition)
  return [{ code: "many-change", words: manyWords(users, sum, compared, advice), ...location() }]
}

/** Whether generic users lose a value and get the default. */
export function genericLose({ pair, transition }: Compared): boolean {
  const [defaultBefore, defaultAfter] = defaultsIn(pair)
  return genericShares(transition.before, transition.after).some(
    ({ before, after }) => before.value !== defaultBefore && after.value === defaultAfter,
  )
}

/** Everyone, if no one keeps a value, else those who do not, if a sentence says who they are. */
function everyoneWords(transition: TransitionWithEffects, moved: readonly AnyMove[]): Phrase {
  const { before, after, mayMeet } = transition
  const someKeep = before.some((from) =>
    after.some(
      (to) => to.value === from.value && mayMeet("any", decidedBy(from, before), decidedBy(to, after)),
    ),
  )
  if (!someKeep) return ["everyone gets"]
  const moving = effectsOn(moved, transition)
  const [{ users = [], group } = {}, ...others] = moving
  const split = group?.split
  if (split?.isKnown && moving.every((effect) => effect.group?.split === split))
    return phrase`everyone with ${attributesOf(split, "and")} gets`
  const isKnown = others.length === 0 && group?.doubt === undefined && split === undefined
  return isKnown && users.length > 0
    ? phrase`${users} ${[verbFor(users, "get", "gets")]}`
    : ["everyone whom no rule names gets"]
}
