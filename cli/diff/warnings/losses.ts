import { complement } from "../../conditions/context-set.ts"
import type { Group } from "../../conditions/moves/group.ts"
import type { Outcome } from "../../conditions/moves/outcome.ts"
import { joinLast, type Phrase, phrase, tellApart, valueWords } from "../../diagnostics/phrase.ts"
import { verbFor } from "../../phrases/users.ts"
import type { Effect } from "../effects/effect.ts"
import { type Compared, defaultsIn, type GateWarning, isIntended, locationOfMoves } from "./gate-warning.ts"
import { locationOfChange } from "./places.ts"

/** That users lose a value and get the default, or the value of others who get theirs. */
export function lossOf(
  effect: Effect,
  effects: readonly Effect[],
  compared: Compared,
): readonly GateWarning[] {
  const { users, group } = effect
  if (users === undefined || group === undefined) return []
  if (!isSwapped(group, effects, compared) && !isLoss(group, compared)) return []
  const { pair, transition } = compared
  return [
    {
      code: "users-lose",
      words: lossWords(users, [effect], compared),
      ...locationOfMoves(pair, transition, group.moves),
    },
  ]
}

/**
 * Whether users get a value whose users get theirs, at once or in a circle. Whoever had the default loses nothing; whoever
 * gets it has a loss.
 */
export function isSwapped(group: Group, others: readonly Effect[], { pair }: Compared): boolean {
  const { before, after } = group
  const [defaultBefore, defaultAfter] = defaultsIn(pair)
  const taken = new Set([after.value])
  for (const value of taken)
    for (const other of others) if (other.group?.before?.value === value) taken.add(other.group.after.value)
  return taken.has(before?.value ?? "") && before?.value !== defaultBefore && after.value !== defaultAfter
}

/** Where the search was given up: that a rule is gone or edited whose users may now get the default. */
export function possibleLosses({ pair, transition }: Compared): readonly GateWarning[] {
  const { before, after, isCutShort, match, mayMeet } = transition
  const nameOf = ({ name, value }: Outcome) => `${value} ${name}`
  const names = new Set(after.map(nameOf))
  const isWithin = (outcome: Outcome) => {
    const rule = match?.pairs.find((one) => one.before === outcome.rule)?.after
    const successor = after.find((one) => one.rule === rule && one.value === outcome.value)
    return successor !== undefined && !mayMeet("plain", outcome.contexts, complement(successor.contexts))
  }
  const isGone = (outcome: Outcome) =>
    outcome.value !== defaultsIn(pair)[0] && !names.has(nameOf(outcome)) && !isWithin(outcome)
  if (!isCutShort || !before.some(isGone)) return []
  const words = [
    "users may lose what they had and get the default; the flag is too large to say which. Check that this is intended.",
  ]
  return [{ code: "users-lose", words, ...locationOfChange(pair, transition, []) }]
}

/** That users lose what these effects take away, or later get another value in its place. */
export function lossWords(
  users: Phrase,
  effects: readonly Effect[],
  { isLater }: Pick<Compared, "isLater">,
): Phrase {
  const lost = new Map(
    effects.flatMap(({ group }) =>
      group?.before ? [[group.before.value, group.before.gives] as const] : [],
    ),
  )
  const values = [...lost.values()].map(valueWords)
  const had = values.length === 0 || values.length > 3 ? ["what they had"] : joinLast(values, "or")
  const [what, given] = tellApart(had, valueWords(effects[0]?.group?.after.gives ?? null))
  const isDoubtful = effects.some(({ group }) => group?.doubt !== undefined)
  const [lose, get] = isDoubtful
    ? ["may lose", "get"]
    : [verbFor(users, "lose", "loses"), verbFor(users, "get", "gets")]
  if (isLater)
    return phrase`${users} ${[isDoubtful ? "may get" : get]} ${given} instead of ${what}. ${[isIntended]}`
  return phrase`${users} ${[lose]} ${what} and ${[get]} ${given}. Check that this is intended.`
}

/** Whether users who had a value get the default. */
export function isLoss({ before, after }: Group, { pair }: Compared): boolean {
  const [defaultBefore, defaultAfter] = defaultsIn(pair)
  return before !== undefined && before.value !== defaultBefore && after.value === defaultAfter
}
