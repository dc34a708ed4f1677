import type { UserSplit } from "../conditions/moves/group.ts"
import { sharesIn } from "../conditions/share-range.ts"
import { countWords, joinLast, joinPhrases, type Phrase, phrase } from "../diagnostics/phrase.ts"
import { attributesOf, dividedUserWords, havingWords, percentOf } from "./divided-users.ts"
import {
  isMoved,
  type MovedShare,
  movedShares,
  movedSum,
  type ShareStep,
  sizeSteps,
  sumOf,
} from "./moved-shares.ts"
import { byWords, seedWords } from "./share-words.ts"

type WordsOf = (value: string) => Phrase

/**
 * One line for the users of a percentage or a split; `undefined` if a condition describes better who changes. At a time to come, a share
 * does not rise or fall: it is another one than without the change.
 */
export function userSplitWords(split: UserSplit, wordsOf: WordsOf, isLater = false): Phrase | undefined {
  const words = splitWords(split, wordsOf, isLater)
  const isLong = words !== undefined && countWords(words) > mostWords
  const said = isLong ? splitWords(split, wordsOf, isLater, fewWords) : words
  // Who has only an old attribute leaves its shares, and who has only a new one enters.
  const isPartial = split.isPartial && !(split.instead && othersMove(split))
  return said && isPartial && movedSum(split.shares) > 0
    ? phrase`${said}. Those who lack one of them may change, too`
    : said
}

/** In longer sentences, only the moves are said, and not how the shares change; users have at most `fewWords`. */
const [mostWords, fewWords] = [30, 14]

/** What the forms of the sentence are made of. */
interface Said {
  readonly split: UserSplit
  readonly wordsOf: WordsOf
  readonly isLater: boolean
  /** The users, and those for whom rules decide that come first. */
  readonly whom: Phrase
  readonly except: Phrase
  readonly by: Phrase
  readonly moved: readonly MovedShare[]
  /** How the shares of the values change that shares give. */
  readonly steps: readonly ShareStep[]
}

function splitWords(split: UserSplit, wordsOf: WordsOf, isLater: boolean, most?: number): Phrase | undefined {
  const moved = movedShares(split.shares)
  const steps = sizeSteps(split.shares).filter(({ value }) => !isRest(value, split))
  const isNew = split.shares[0]?.before === undefined
  if ((moved.length === 0 && !isNew) || isBestAsCondition(split, steps)) return undefined
  const { whom, except } = dividedUserWords(split, most)
  const by = phrase`, ${dividedBy(split)}${afterComma(except)}`
  const said = { split, wordsOf, isLater, whom, except, by, moved, steps }
  return (
    holdoutWords(said) ??
    oneShareWords(said) ??
    winnerWords(said) ??
    startWords(said) ??
    gainWords(said) ??
    moveWords(said)
  )
}

function afterComma(words: Phrase): Phrase {
  return words.length > 0 ? [",", ...words] : []
}

/** Whether a condition says more clearly who changes than shares do, as where one value begins or ends. */
function isBestAsCondition(split: UserSplit, [only, ...more]: readonly ShareStep[]): boolean {
  const { shares, instead, by, who } = split
  if (instead !== undefined || othersMove(split)) return false
  if (only === undefined || more.length > 0 || only.from === only.to) return false
  // A share that leaves out the first users, beside another share, is a holdout: the sentence says whom it takes.
  const isBesideShare =
    shares[0]?.before !== only.value &&
    who.some(({ condition }) => sharesIn(condition).some((share) => share.by === by.at(-1)?.by))
  return only.from === 0 || only.to === 0 || isBesideShare
}

/** A holdout: within ranges of the last seed, all users of an experiment get one value, and no one else changes. */
function holdoutWords({ split, wordsOf, whom, except, moved }: Said): Phrase | undefined {
  const { shares, by, instead } = split
  const [first] = moved
  if (first === undefined || by.length < 2 || instead !== undefined) return undefined
  const ranges = [...Map.groupBy(shares, ({ range }) => range).values()]
  const left = ranges.filter((own) => own.some(isMoved))
  const stayed = ranges.filter((own) => !left.includes(own))
  if (stayed.length === 0 || shares.some((share) => isMoved(share) && !share.isArm)) return undefined
  if (left.flat().some(({ after }) => after !== first.after)) return undefined
  const isMore = stayed.some((own) => own.every(({ after }) => after === first.after))
  const leaving = sumOf(left.flat().filter(({ isArm }) => isArm))
  // A holdout that grows and one that shrinks look alike: more users all get what others have already.
  const [leave, get] = isMore
    ? [phrase`a further ${leaving} % of users${whom}`, " all get"]
    : [phrase`${leaving} % of users${whom} leave the experiment`, " and get"]
  // Users whose arm gave the holdout's value are counted, too, and keep that value.
  const words =
    leaving === movedSum(shares)
      ? phrase`${leave} (${sourceWords(moved, wordsOf)})${[get]} ${wordsOf(first.after)}`
      : phrase`${leave}${[get]} ${wordsOf(first.after)}${changedWords(moved, wordsOf)}`
  return phrase`${words}${afterComma(except)}${othersWords(split, wordsOf)}`
}

/** One share that rises or falls, and what those get who lose it, unless it is the only other value. */
function oneShareWords({ split, wordsOf, isLater, whom, by, moved, steps }: Said): Phrase | undefined {
  const [move, ...moves] = moved
  const [only, ...more] = steps
  if (move === undefined || moves.length > 0 || split.instead || othersMove(split)) return undefined
  if (only === undefined || more.length > 0 || only.from === only.to) return undefined
  const { from, to } = only
  const words = isLater
    ? phrase`${to} % instead of ${from} % of users${whom} get ${wordsOf(only.value)}${by}`
    : phrase`the share of users${whom} who get ${wordsOf(only.value)} ${[from < to ? "rises" : "falls"]} from ${from} % to ${to} %${by}`
  const isLost = from > to && !isLater && !isBoolean(move.after)
  const whole = isLost ? phrase`${words}; those who lose it get ${wordsOf(move.after)}` : words
  return [whole, words].find((each) => countWords(each) <= mostWords)
}

/** The value that all have after the change, whatever their share is: also those without the attribute, if they do or there are none. */
function winnerWords({ split, wordsOf, whom, except, moved }: Said): Phrase | undefined {
  const [winner, ...others] = new Set(split.shares.map(({ after }) => after))
  if (winner === undefined || others.length > 0 || split.instead) return undefined
  const hasAll = split.others.after === winner || (split.coversOthers && split.others.after === undefined)
  const having = hasAll ? [] : phrase` with ${attributesOf(split, "and")}`
  const winners =
    whom.length > 0 ? phrase`users${whom}${having}${except} get` : phrase`everyone${having}${except} gets`
  const won = phrase`${winners} ${wordsOf(winner)}`
  const ofPart = movedSum(moved) < 100 ? phrase`${changedWords(moved, wordsOf)}, ${dividedBy(split)}` : []
  const isLong = ofPart.length > 0 && countWords([...won, ...ofPart]) > mostWords
  return phrase`${won}${isLong ? changedSum(moved) : ofPart}${othersWords(split, wordsOf, winner)}`
}

/** Shares of users that begin, and what the rest get; with the value that all had, if no one has it now. */
function startWords({ split, wordsOf, whom, by, steps }: Said): Phrase | undefined {
  const { shares, others, restAfter } = split
  if (steps.length === 0 || restAfter === undefined || steps.some(({ from }) => from > 0)) return undefined
  const had = othersMove(split) ? others.before : undefined
  const isReplaced = shares.every(({ before, after }) => before === had && after !== had)
  if (had !== undefined && !isReplaced) return undefined
  const parts = steps.map(({ value, to }, at) => phrase`${to} %${[at === 0 ? " get" : ""]} ${wordsOf(value)}`)
  const of = whom.length > 0 ? phrase`of users${whom}, ` : []
  const instead = had === undefined ? [] : phrase`; all instead of ${wordsOf(had)}`
  const isPart = sumOf(steps.map(({ to }) => ({ size: to }))) < 100
  const rest = isPart
    ? phrase`; the rest ${wordsOf(restAfter)}`
    : others.after === undefined
      ? []
      : phrase`; those without ${attributesOf(split, "or")} get ${wordsOf(others.after)}`
  return phrase`${of}${joinPhrases(parts, ", ")}${by}${rest}${instead}`
}

/** What users get who all had one value. */
function gainWords({ split, wordsOf, whom, by, moved }: Said): Phrase | undefined {
  const [move, ...moves] = moved
  if (move === undefined || split.instead) return undefined
  const users = phrase`users${whom}${havingWords(split)}`
  const others = othersWords(split, wordsOf)
  const had = wordsOf(move.before)
  if (moves.length === 0)
    return phrase`${wordsOf(move.after)} instead of ${had} for ${percentOf(move.size, users)}${by}${others}`
  if (split.shares.some(({ before }) => before !== move.before)) return undefined
  const gains = moved.map(
    ({ size, after }, at) => phrase`${size} %${at === 0 ? phrase` of ${users}` : []} get ${wordsOf(after)}`,
  )
  return phrase`${joinLast(gains, "and")} instead of ${had}${by}${others}`
}

/** How the share of each value changes, and how many move from which to which. */
function moveWords({ split, wordsOf, whom, by, moved, steps }: Said): Phrase {
  const rest = sizeSteps(split.shares).filter(({ value }) => isRest(value, split))
  const listed = [...steps, ...rest].flatMap(({ value, from, to }) => {
    if (from !== to) return [phrase`${wordsOf(value)} ${from} → ${to} %`]
    const isTraded = !isRest(value, split) && moved.some((each) => [each.before, each.after].includes(value))
    return isTraded ? [phrase`${wordsOf(value)} stays ${to} %`] : []
  })
  const sum = movedSum(moved)
  const having = havingWords(split)
  const change =
    having.length > 0
      ? phrase`of users${whom}${having}, ${sum} % change`
      : phrase`${percentOf(sum, phrase`users${whom}`)} change`
  const moves = joinPhrases(listedMoves(moved, wordsOf), ", ")
  const said = phrase`${change} (${moves})${by}${othersWords(split, wordsOf)}`
  const whole = listed.length > 0 ? phrase`${joinPhrases(listed, ", ")}: ${said}` : said
  return countWords(whole) > mostWords ? said : whole
}

/** The maximum number of moves from one value to another that a sentence lists. */
const mostMoves = 6

function listedMoves(moved: readonly MovedShare[], wordsOf: WordsOf): readonly Phrase[] {
  const listed = moved.length > mostMoves ? bySize(moved).slice(0, mostMoves - 1) : moved
  const words = listed.map(
    ({ size, before, after }) => phrase`${size} %: ${wordsOf(before)} → ${wordsOf(after)}`,
  )
  return moved.length > listed.length ? [...words, [`and ${moved.length - listed.length} more`]] : words
}

function bySize(moved: readonly MovedShare[]): readonly MovedShare[] {
  return moved.toSorted((a, b) => b.size - a.size)
}

function dividedBy({ by, instead }: UserSplit): Phrase {
  const seed = by.at(-1)
  if (seed === undefined) return []
  if (instead === undefined)
    return joinLast(
      by.map((each) => byWords(each)),
      "and",
    )
  return instead.by === seed.by
    ? phrase`by ${seed.by}, now ${seedWords(seed.seed)}`
    : phrase`now ${byWords(seed)} instead of ${byWords(instead)}`
}

/** For how many the value that all have now is different. */
function changedSum(moved: readonly MovedShare[]): Phrase {
  return phrase`: a change for ${movedSum(moved)} %`
}

/** The same with what they had, unless it is the only other value. */
function changedWords(moved: readonly MovedShare[], wordsOf: WordsOf): Phrase {
  const [first, ...more] = moved
  if (first === undefined || (more.length === 0 && isBoolean(first.before))) return changedSum(moved)
  return more.length === 0
    ? phrase`: a change from ${wordsOf(first.before)} for ${first.size} %`
    : phrase`${changedSum(moved)} (${sourceWords(moved, wordsOf)})`
}

/** How many had which value, the most first. */
function sourceWords(moved: readonly MovedShare[], wordsOf: WordsOf): Phrase {
  return joinPhrases(
    bySize(moved).map(({ size, before }) => phrase`${size} % from ${wordsOf(before)}`),
    ", ",
  )
}

/** Whether a value, as JSON, has only one other. */
function isBoolean(value: string): boolean {
  return value === "true" || value === "false"
}

/** What users get who lack an attribute, if that changes; not if all get `value` who have it. */
function othersWords(split: UserSplit, wordsOf: WordsOf, value?: string): Phrase {
  const { others } = split
  if (!othersMove(split) || others.before === undefined || others.after === undefined) return []
  const isSame = others.after === value
  if (isSame && movedSum(split.shares) === 100) return []
  return phrase`. Those without ${attributesOf(split, "or")} get ${isSame ? ["it"] : wordsOf(others.after)} instead of ${wordsOf(others.before)}`
}

/** Whether users who lack an attribute get a different value. */
function othersMove({ others }: UserSplit): boolean {
  return others.before !== undefined && others.after !== undefined && others.before !== others.after
}

/** Whether a value is only for users whom no share picks. */
function isRest(value: string, { armsBefore, armsAfter, restBefore, restAfter }: UserSplit): boolean {
  return !armsBefore.has(value) && !armsAfter.has(value) && (value === restBefore || value === restAfter)
}
