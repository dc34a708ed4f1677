import type { Context } from "../../../sdk/evaluation/evaluation.ts"
import { jsonContext } from "../../conditions/json-context.ts"
import { describeMoves } from "../../conditions/moves/describe-moves.ts"
import type { Group, UserSplit } from "../../conditions/moves/group.ts"
import { hasRule } from "../../conditions/moves/outcome.ts"
import { countWords, type Phrase, phrase, plainPhrase, valueWords } from "../../diagnostics/phrase.ts"
import { dividedUserWords } from "../../phrases/divided-users.ts"
import { userSplitWords } from "../../phrases/user-split-words.ts"
import { verbFor } from "../../phrases/users.ts"
import { areHard, usersByRules } from "../../phrases/users-by-rules.ts"
import { usersWho } from "../../phrases/users-who.ts"
import { changeWords, longValueWords } from "../../phrases/value-step.ts"
import { usersOfRamps } from "../../phrases/who-gets-what.ts"
import type { Transition } from "../transitions/transition.ts"
import type { Effect } from "./effect.ts"

/**
 * Who gets a different value in an environment, by the two values. Contexts with lists or objects come last. Empty if
 * everyone gets a new flag's default.
 */
export function effectsOf(transition: Transition, isLater = false): readonly Effect[] {
  const calendar = calendarEffects(transition)
  if (calendar !== undefined) return calendar
  const { environment, moves, isNew, isCutShort, after } = transition
  const rest = after.at(-1)
  if (isNew && rest?.rule === undefined && moves.every((move) => move.after.value === rest?.value)) return []
  const groups = describeMoves(moves, transition)
  const isRest = (group: Group) => isNew && group.after.value === rest?.value && groups.length > 1
  const ofAll = groups.find(
    ({ split }) => split?.coversOthers && split.who.length === 0 && splitSaid(split, transition, isLater),
  )
  const said = groups.map((group) => {
    const isSaid = isRest(group) && ofAll !== undefined && group.split === undefined
    return { environment, ...sentenceOf(isSaid ? ofAll : group, isRest(group), transition, isLater), group }
  })
  // What happens to most comes first ("everyone without an `id`" are few); "everyone else" needs others before it.
  const areMost = ({ doubt }: Group, users: Phrase = []) =>
    doubt === undefined && /^everyone(?! with(?:out)? (?:an?|any) )/.test(plainPhrase(users))
  const rankOf = ({ group, users }: (typeof said)[number]) =>
    isRest(group) ? 2 : areMost(group, users) ? 0 : 1
  const effects = said.toSorted((a, b) => rankOf(a) - rankOf(b))
  if (!isCutShort) return effects
  const who = phrase`${[groups.length > 0 ? "other users" : "users"]} in ${environment} may get a different value; the flag is too large to say which`
  return [...effects, { environment, who }]
}

/**
 * The effects of rules with ramps in one sentence that has their calendars, from `now` on in milliseconds since the epoch. Only
 * these rules may give their value, and no rule may have decided before: then words about users at any time say from when on
 * they get it. `undefined`: it depends on more, or would be hard to read.
 */
export function calendarEffects(transition: Transition, now?: number): readonly Effect[] | undefined {
  const { environment, before, after, moves, isNew, isCutShort } = transition
  const [rules, rest] = [after.filter(hasRule), after.at(-1)]
  const [value, ...others] = new Set(rules.map((outcome) => outcome.value))
  if (value === undefined || others.length > 0 || rest?.rule !== undefined || rest?.value === value)
    return undefined
  if (isCutShort || before.some(hasRule) || moves.some(({ doubt }) => doubt !== undefined)) return undefined
  const users = usersOfRamps(
    rules.map(({ condition }) => condition),
    now,
  )
  const groups = users === undefined ? [] : describeMoves(moves, transition)
  const [ofRules, ofOthers] = [true, false].map((isOf) =>
    groups.filter((group) => (group.after.value === value) === isOf),
  )
  const [group, ...more] = ofRules ?? []
  const isWhole = groups.every((one) => one.users.length > 0) && (isNew || ofOthers?.length === 0)
  if (users === undefined || group === undefined || more.length > 0 || !isWhole) return undefined
  return [
    { environment, who: gainOf(group, users), users, group },
    ...(ofOthers ?? []).map((one) => ({
      environment,
      ...sentenceOf(one, true, transition, false),
      group: one,
    })),
  ]
}

/** A sentence that is true of everyone it names, if no attribute is a list or an object. */
function sentenceOf(
  group: Group,
  isRest: boolean,
  transition: Transition,
  isLater: boolean,
): Pick<Effect, "who" | "users"> {
  const { doubt, split, users: terms } = group
  const divided = split?.isKnown ? dividedUsers(split) : undefined
  const said = splitSaid(split, transition, isLater)
  if (said !== undefined) return { who: said, users: divided }
  if (terms.length === 0) {
    const contexts = doubt === undefined ? listExample(group) : ["contexts with a list"]
    return { who: gainOf(group, contexts) }
  }
  const words = usersWho(terms)
  const users = (areHard(words, terms) ? usersByRules(group, transition, words) : undefined) ?? words
  const who = isRest
    ? phrase`${changeWords(group.before?.gives, group.after.gives)} for everyone else`
    : gainOf(group, users)
  return { who, users: divided ?? users }
}

/** What users get, and what they had. */
function gainOf({ before, after, doubt }: Group, users: Phrase): Phrase {
  // A sentence that has to say whom in many words says less of the value.
  const count = countWords(users)
  const inside = count > 20 ? undefined : longValueWords(before?.gives, after.gives, count > 14 ? 1 : 3)
  const gain = inside ?? changeWords(before?.gives, after.gives)
  if (doubt !== undefined) return phrase`${users} may get ${gain}`
  return inside === undefined
    ? phrase`${gain} for ${users}`
    : phrase`${users} ${[verbFor(users, "get", "gets")]} ${inside}`
}

/** The sentence of a split; `undefined`: conditions say it better, or it is not known. */
function splitSaid(split: UserSplit | undefined, transition: Transition, isLater: boolean) {
  return split?.isKnown ? userSplitWords(split, wordsIn(transition), isLater) : undefined
}

function dividedUsers(split: UserSplit): Phrase {
  const { whom, except } = dividedUserWords(split)
  return phrase`users${whom}${except}`
}

/** Words for the values of shares. */
function wordsIn({ before, after }: Transition): (value: string) => Phrase {
  return (value) =>
    valueWords([...after, ...before].find((outcome) => outcome.value === value)?.gives ?? null)
}

/** Words for contexts that need a separate sentence, because the others are about attributes with one value. */
function listExample({ witness, moves }: Group): Phrase {
  const context: Context = witness ?? moves[0]?.witness ?? {}
  const kind = Object.values(context).some(Array.isArray) ? "a list" : "an object"
  const example = jsonContext(context)
  return example === undefined
    ? phrase`contexts with ${[kind]}`
    : phrase`contexts with ${[kind]} such as ${JSON.stringify(example)}`
}
