import type { Context } from "../../../sdk/evaluation/evaluation.ts"
import { conditionOf, createMeets, createSets, termSet } from "../../conditions/clause.ts"
import { jsonContext } from "../../conditions/json-context.ts"
import { simplify } from "../../conditions/simplify.ts"
import { findContext } from "../../conditions/witness.ts"
import { createWork } from "../../conditions/work.ts"
import { type Phrase, phrase, valueWords } from "../../phrases/phrase.ts"
import { userSplitWords } from "../../phrases/user-split-words.ts"
import { usersWho, userWords, verbFor } from "../../phrases/users.ts"
import { changeWords, longValueWords } from "../../phrases/value-step.ts"
import { isPlain } from "../transitions/moves.ts"
import type { Transition } from "../transitions/transition.ts"
import type { Effect, Group, UserSplit } from "./effect.ts"
import { groupsOf, keepingNames, type Searching } from "./groups.ts"

/** Steps for all sentences about a flag in an environment. */
const steps = 1_000_000

/**
 * Who gets a different value in an environment, by the two values. Contexts with lists or objects come last. Empty if
 * everyone gets a new flag's default.
 */
export function effectsOf(transition: Transition): readonly Effect[] {
  const { environment, moves, isNew, isCutShort, after } = transition
  const rest = after.at(-1)
  if (isNew && rest?.rule === undefined && moves.every((move) => move.after.value === rest?.value)) return []
  const searching: Searching = {
    setOf: createSets(transition.scope),
    meets: createMeets(),
    shapes: "any",
    work: createWork(steps),
  }
  const byValues = Map.groupBy(moves, ({ before, after, doubt }) =>
    JSON.stringify([before.value, after.value, doubt !== undefined]),
  )
  const [lists = [], users = []] = [true, false].map((isOnlyLists) =>
    [...byValues.values()].filter((moves) => moves.every((move) => move.isOnlyLists) === isOnlyLists),
  )
  const groups = groupsOf([...users, ...lists], transition, searching)
  const vague = phrase`${[groups.length > 0 ? "other users" : "users"]} in ${environment} may get a different value; the flag is too large to say which`
  return [
    ...groups.map((group) => ({
      environment,
      ...sentenceOf(group, groups, transition, searching),
      group,
    })),
    ...(isCutShort ? [{ environment, who: vague }] : []),
  ]
}

/** A sentence that is true of everyone it names, if no attribute is a list or an object. */
function sentenceOf(
  group: Group,
  groups: readonly Group[],
  transition: Transition,
  searching: Searching,
): Pick<Effect, "who" | "users"> {
  const { before, after, doubt, witness, moves } = group
  const isRest = transition.isNew && after.value === transition.after.at(-1)?.value && groups.length > 1
  const { split } = group
  const names = transition.namesFor(
    groups.filter((one) => one === group || (split && one.split === split)).flatMap((one) => one.moves),
  )
  const plain = keepingNames({ ...searching, shapes: "plain" }, names)
  const who = split?.isKnown ? userSplitWords(split, wordsIn(transition, split), names) : undefined
  const { whom = [], except = [] } = split?.isKnown ? userWords(split.who, names) : {}
  const divided = split?.isKnown ? phrase`users${whom}${except}` : undefined
  if (who) return { who, users: divided }
  const inside = longValueWords(before?.returns, after.returns)
  const gain = inside ?? changeWords(before?.returns, after.returns)
  const sentence = (users: Phrase, isSure: boolean) => {
    if (!isSure) return phrase`${users} may get ${gain}`
    return inside === undefined
      ? phrase`${gain} for ${users}`
      : phrase`${users} ${[verbFor(users, "get", "gets")]} ${inside}`
  }
  const example = witness ?? moves[0]?.witness
  if (moves.every((move) => move.isOnlyLists)) return { who: sentence(listExample(example), true) }
  const isSure = witness !== undefined && isPlain(witness)
  const terms = simplify(group.terms, plain)
  const left = terms.filter(
    (term) =>
      (isSure && terms.length === 1) ||
      findContext(termSet(term, plain.setOf), { shapes: "plain", work: plain.work.share(0.1) }).kind !==
        "none",
  )
  const condition = conditionOf(left) ?? group.condition
  if (left.length === 0 && doubt !== undefined) return { who: sentence(["contexts with a list"], false) }
  if (left.length === 0) return { who: sentence(listExample(example), true) }
  const users = usersWho(condition, names)
  const said = isRest ? phrase`${gain} for everyone else` : sentence(users, doubt === undefined)
  return { who: said, users: divided ?? users }
}

/** Words for the values of shares: the default is only named so if no share gives it. */
function wordsIn(
  { before, after }: Transition,
  { armsBefore, armsAfter }: UserSplit,
): (value: string) => Phrase {
  const [one, other] = [before.at(-1), after.at(-1)]
  const isDefault = (value: string) =>
    value === other?.value &&
    other.rule === undefined &&
    (one?.rule !== undefined || one?.value === value || one?.value === "") &&
    !armsBefore.has(value) &&
    !armsAfter.has(value)
  return (value) => {
    if (isDefault(value)) return ["default"]
    return valueWords([...after, ...before].find((outcome) => outcome.value === value)?.returns ?? null)
  }
}

/** Words for contexts that need a separate sentence, because the others are about attributes with one value. */
function listExample(witness: Context = {}): Phrase {
  const kind = Object.values(witness).some(Array.isArray) ? "a list" : "an object"
  const example = jsonContext(witness)
  return example === undefined
    ? phrase`contexts with ${[kind]}`
    : phrase`contexts with ${[kind]} such as ${JSON.stringify(example)}`
}
