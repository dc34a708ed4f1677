import type { Clause } from "../conditions/clause.ts"
import type { SplitShare, UserSplit } from "../conditions/moves/group.ts"
import { rounded, sharesIn } from "../conditions/share-range.ts"
import { countWords, joinLast, joinPhrases, type Phrase, phrase } from "../diagnostics/phrase.ts"
import { presenceIn } from "../language/condition.ts"
import { articleOf } from "./comparison-words.ts"
import { byWords, percent, seedWords } from "./share-words.ts"
import { userWords } from "./users.ts"

/**
 * One line for the users of a percentage or a split; `undefined` if a condition describes better who changes. At a time to come, a share
 * does not rise or fall: it is another one than without the change.
 */
export function userSplitWords(
  split: UserSplit,
  wordsOf: (value: string) => Phrase,
  isLater = false,
): Phrase | undefined {
  const words = splitWords(split, wordsOf, dividedUserWords(split), isLater)
  const isLong = words !== undefined && countWords(words) > mostWords
  const said = isLong ? splitWords(split, wordsOf, dividedUserWords(split, fewWords), isLater) : words
  // Who has only an old attribute leaves its shares, and who has only a new one enters.
  const isPartial = split.isPartial && !(split.instead && othersMove(split))
  return said && isPartial && movedSum(split.shares) > 0
    ? phrase`${said}. Those who lack one of them may change, too`
    : said
}

function splitWords(
  split: UserSplit,
  wordsOf: (value: string) => Phrase,
  { whom, except: others }: UserWords,
  isLater: boolean,
): Phrase | undefined {
  const except = others.length > 0 ? [",", ...others] : []
  const by = phrase`, ${dividedBy(split)}${except}`
  const moved = movedShares(split.shares)
  if (moved.length === 0 && split.shares[0]?.before !== undefined) return undefined
  const [steps = [], rest = []] = [false, true].map((are) =>
    sizeSteps(split).filter(({ value }) => isRest(value, split) === are),
  )
  const had = replacedValue(split)
  const isMoved = othersMove(split)
  if (isBestAsCondition(split, steps)) return undefined
  const holdout = holdoutWords(split, wordsOf, whom)
  if (holdout !== undefined) return phrase`${holdout}${except}${othersWords(split, wordsOf)}`
  const [only, ...more] = steps
  const [move, ...moves] = moved
  const isOneMove = move !== undefined && moves.length === 0 && !split.instead
  if (isOneMove && !isMoved && only !== undefined && more.length === 0 && only.from !== only.to) {
    const rises = only.from < only.to ? "rises" : "falls"
    const words = isLater
      ? phrase`${only.to} % instead of ${only.from} % of users${whom} get ${wordsOf(only.value)}${by}`
      : phrase`the share of users${whom} who get ${wordsOf(only.value)} ${[rises]} from ${only.from} % to ${only.to} %${by}`
    const isLost = only.from > only.to && !isLater && !isBoolean(move.after)
    const whole = isLost ? phrase`${words}; those who lose it get ${wordsOf(move.after)}` : words
    if (countWords(words) <= mostWords) return countWords(whole) > mostWords ? words : whole
  }
  const winner = onlyValueAfter(split)
  if (winner !== undefined && !split.instead) {
    const won = phrase`${winnersOf(split, winner, whom, others)} ${wordsOf(winner)}`
    const ofPart = movedSum(moved) < 100 ? phrase`${changedWords(moved, wordsOf)}, ${dividedBy(split)}` : []
    const isLong = ofPart.length > 0 && countWords([...won, ...ofPart]) > mostWords
    return phrase`${won}${isLong ? changedSum(moved) : ofPart}${othersWords(split, wordsOf, winner)}`
  }
  const isStart = steps.length > 0 && steps.every(({ from }) => from === 0) && split.restAfter !== undefined
  if (isStart && (!isMoved || had !== undefined)) {
    const parts = steps.map(
      ({ value, to }, at) => phrase`${to} %${[at === 0 ? " get" : ""]} ${wordsOf(value)}`,
    )
    const of = whom.length > 0 ? phrase`of users${whom}, ` : []
    const instead = had === undefined ? [] : phrase`; all instead of ${wordsOf(had)}`
    return phrase`${of}${joinPhrases(parts, ", ")}${by}${restOf(split, steps, wordsOf)}${instead}`
  }
  if (isOneMove)
    return phrase`${wordsOf(move.after)} instead of ${wordsOf(move.before)} for ${percentOf(move.size, phrase`users${whom}${havingWords(split)}`)}${by}${othersWords(split, wordsOf)}`
  if (move !== undefined && !split.instead && split.shares.every(({ before }) => before === move.before)) {
    const gains = moved.map(
      ({ size, after }, at) =>
        phrase`${size} %${at === 0 ? phrase` of users${whom}${havingWords(split)}` : []} get ${wordsOf(after)}`,
    )
    return phrase`${joinLast(gains, "and")} instead of ${wordsOf(move.before)}${by}${othersWords(split, wordsOf)}`
  }
  const listed = [...steps, ...rest].flatMap(({ value, from, to }) => {
    if (from !== to) return [phrase`${wordsOf(value)} ${from} → ${to} %`]
    const isTraded = !isRest(value, split) && moved.some((each) => [each.before, each.after].includes(value))
    return isTraded ? [phrase`${wordsOf(value)} stays ${to} %`] : []
  })
  const change = phrase`${changeOf(split, whom)} (${joinPhrases(moveWords(moved, wordsOf), ", ")})`
  const said = phrase`${change}${by}${othersWords(split, wordsOf)}`
  const whole = listed.length > 0 ? phrase`${joinPhrases(listed, ", ")}: ${said}` : said
  return countWords(whole) > mostWords ? said : whole
}

/** In longer sentences, only the moves are said, and not how the shares change; users have at most `fewWords`. */
const [mostWords, fewWords] = [30, 14]

/** What users get whom no share picks. If the shares are 100 %, those are users who lack an attribute. */
function restOf(split: UserSplit, steps: readonly ShareStep[], wordsOf: (value: string) => Phrase): Phrase {
  const { others, restAfter = "" } = split
  const isPart = rounded(steps.reduce((sum, { to }) => sum + to, 0)) < 100
  if (isPart) return phrase`; the rest ${wordsOf(restAfter)}`
  if (others.after === undefined) return []
  return phrase`; those without ${attributesOf(split, "or")} get ${wordsOf(others.after)}`
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

function changeOf(split: UserSplit, whom: Phrase): Phrase {
  const sum = movedSum(split.shares)
  const having = havingWords(split)
  return having.length > 0
    ? phrase`of users${whom}${having}, ${sum} % change`
    : phrase`${percentOf(sum, phrase`users${whom}`)} change`
}

/** That the percentages are of users who have each of several attributes; empty for one attribute, which "by" names. */
export function havingWords({ by, instead }: Pick<UserSplit, "by" | "instead">): Phrase {
  const attributes = new Set([...by, ...(instead ? [instead] : [])].map((seed) => seed.by))
  return attributes.size < 2 ? [] : [` who have ${attributes.size === 2 ? "both" : "all"} attributes`]
}

type UserWords = ReturnType<typeof userWords>

/** The users whom shares divide, in words that leave out that they have the attributes that divide them. */
export function dividedUserWords({ who, by }: UserSplit, most?: number): UserWords {
  const isPresence = ({ condition, holds }: Clause) =>
    condition.kind === "comparison" &&
    presenceIn(condition) === holds &&
    by.some((seed) => seed.by === condition.attribute)
  return userWords(
    who.filter((clause) => !isPresence(clause)),
    most,
  )
}

/** A percentage of the users; all of them need none. */
export function percentOf(size: number, users: Phrase): Phrase {
  return size === 100 ? users : phrase`${[percent(size)]} % of ${users}`
}

/** The value that all have after the change, whatever their share is. */
function onlyValueAfter({ shares }: UserSplit): string | undefined {
  const [value, ...more] = new Set(shares.map(({ after }) => after))
  return more.length === 0 ? value : undefined
}

/** The users who get it, with the verb: also those without the attribute, if they do or there are none. */
function winnersOf(split: UserSplit, value: string, whom: Phrase, except: Phrase): Phrase {
  const hasAll = split.others.after === value || (split.coversOthers && split.others.after === undefined)
  const having = hasAll ? [] : phrase` with ${attributesOf(split, "and")}`
  return whom.length > 0
    ? phrase`users${whom}${having}${except} get`
    : phrase`everyone${having}${except} gets`
}

/** For how many the value that all have now is different. */
function changedSum(moved: readonly MovedShare[]): Phrase {
  return phrase`: a change for ${movedSum(moved)} %`
}

/** The same with what they had, unless it is the only other value. */
function changedWords(moved: readonly MovedShare[], wordsOf: (value: string) => Phrase): Phrase {
  const [first, ...more] = moved
  if (first === undefined || (more.length === 0 && isBoolean(first.before))) return changedSum(moved)
  return more.length === 0
    ? phrase`: a change from ${wordsOf(first.before)} for ${first.size} %`
    : phrase`${changedSum(moved)} (${sourceWords(moved, wordsOf)})`
}

/** How many had which value, the most first. */
function sourceWords(moved: readonly MovedShare[], wordsOf: (value: string) => Phrase): Phrase {
  const bySize = moved.toSorted((a, b) => b.size - a.size)
  return joinPhrases(
    bySize.map(({ size, before }) => phrase`${size} % from ${wordsOf(before)}`),
    ", ",
  )
}

/** Whether a value, as JSON, has only one other. */
function isBoolean(value: string): boolean {
  return value === "true" || value === "false"
}

/** What users get who lack an attribute, if that changes; not if all get `value` who have it. */
function othersWords(split: UserSplit, wordsOf: (value: string) => Phrase, value?: string): Phrase {
  const { others } = split
  if (!othersMove(split) || others.before === undefined || others.after === undefined) return []
  const isSame = others.after === value
  if (isSame && movedSum(split.shares) === 100) return []
  return phrase`. Those without ${attributesOf(split, "or")} get ${isSame ? ["it"] : wordsOf(others.after)} instead of ${wordsOf(others.before)}`
}

/** The attributes by which users are divided, such as "an `id`". */
export function attributesOf({ by }: Pick<UserSplit, "by">, last: "and" | "or"): Phrase {
  const attributes = new Set(by.map((seed) => seed.by))
  return joinLast(
    [...attributes].map((attribute) => phrase`${[articleOf(attribute)]} ${attribute}`),
    last,
  )
}

/** Whether users who lack an attribute get a different value. */
function othersMove({ others }: UserSplit): boolean {
  return others.before !== undefined && others.after !== undefined && others.before !== others.after
}

/** The value that all had, with those who lack an attribute, and that no one has now. */
function replacedValue(split: UserSplit): string | undefined {
  const { shares, others } = split
  if (!othersMove(split)) return undefined
  const isReplaced = shares.every(({ before, after }) => before === others.before && after !== others.before)
  return isReplaced ? others.before : undefined
}

interface ShareStep {
  readonly value: string
  readonly from: number
  readonly to: number
}

/** Whether a condition says more clearly who changes than shares do, as where one value begins or ends. */
function isBestAsCondition(split: UserSplit, steps: readonly ShareStep[]): boolean {
  const { shares, instead, by, who } = split
  if (instead !== undefined || othersMove(split)) return false
  const [only] = steps
  if (steps.length === 1 && only !== undefined && only.from !== only.to) {
    // A share that leaves out the first users, beside another share, is a holdout: the sentence says whom it takes.
    const isBesideShare =
      shares[0]?.before !== only.value &&
      who.some(({ condition }) => sharesIn(condition).some((share) => share.by === by.at(-1)?.by))
    return only.from === 0 || only.to === 0 || isBesideShare
  }
  return false
}

/**
 * A holdout: within ranges of the last seed, all users of an experiment get one value, and no one else changes.
 */
function holdoutWords(
  split: UserSplit,
  wordsOf: (value: string) => Phrase,
  whom: Phrase,
): Phrase | undefined {
  const { shares, by, instead } = split
  const moved = movedShares(shares)
  const [first] = moved
  if (first === undefined || by.length < 2 || instead !== undefined) return undefined
  const ranges = [...Map.groupBy(shares, ({ range }) => range).values()]
  const [left = [], stayed = []] = [true, false].map((isLeft) =>
    ranges.filter((own) => own.some(isMoved) === isLeft),
  )
  if (stayed.length === 0 || shares.some((share) => isMoved(share) && !share.isArm)) return undefined
  if (left.flat().some(({ after }) => after !== first.after)) return undefined
  const isMore = stayed.some((own) => own.every(({ after }) => after === first.after))
  const leaving = sumOf(left.flat().filter(({ isArm }) => isArm))
  const value = wordsOf(first.after)
  // A holdout that grows and one that shrinks look alike: more users all get what others have already.
  const [leave, get] = isMore
    ? [phrase`a further ${leaving} % of users${whom}`, " all get"]
    : [phrase`${leaving} % of users${whom} leave the experiment`, " and get"]
  // Users whose arm gave the holdout's value are counted, too, and keep that value.
  return leaving === movedSum(shares)
    ? phrase`${leave} (${sourceWords(moved, wordsOf)})${[get]} ${value}`
    : phrase`${leave}${[get]} ${value}${changedWords(moved, wordsOf)}`
}

/** The maximum number of moves from one value to another that a sentence lists. */
const mostMoves = 6

function moveWords(moved: readonly MovedShare[], wordsOf: (value: string) => Phrase): readonly Phrase[] {
  const bySize = moved.toSorted((a, b) => b.size - a.size)
  const listed = moved.length > mostMoves ? bySize.slice(0, mostMoves - 1) : moved
  const words = listed.map(
    ({ size, before, after }) => phrase`${size} %: ${wordsOf(before)} → ${wordsOf(after)}`,
  )
  return moved.length > listed.length ? [...words, [`and ${moved.length - listed.length} more`]] : words
}

/** How the share of each value changes, whatever gives it. */
function sizeSteps({ shares }: UserSplit): readonly ShareStep[] {
  const [before, after] = [sizesBy(shares, "before"), sizesBy(shares, "after")]
  return [...new Set([...before.keys(), ...after.keys()])].map((value) => {
    return { value, from: before.get(value) ?? 0, to: after.get(value) ?? 0 }
  })
}

/** Whether a value is only for users whom no share picks. */
function isRest(value: string, { armsBefore, armsAfter, restBefore, restAfter }: UserSplit): boolean {
  return !armsBefore.has(value) && !armsAfter.has(value) && (value === restBefore || value === restAfter)
}

/** How many percent get a different value. */
export function movedSum(shares: readonly SplitShare[]): number {
  return sumOf(movedShares(shares))
}

function sumOf(shares: readonly SplitShare[]): number {
  return rounded(shares.reduce((sum, { size }) => sum + size, 0))
}

interface MovedShare extends SplitShare {
  readonly before: string
}

function isMoved(share: SplitShare | undefined): share is MovedShare {
  return share?.before !== undefined && share.before !== share.after
}

/** How many percent move from each value to each other one. */
export function movedShares(shares: readonly SplitShare[]): readonly MovedShare[] {
  const groups = Map.groupBy(shares.filter(isMoved), ({ before, after }) => JSON.stringify([before, after]))
  return [...groups.values()].flatMap(([first, ...more]) =>
    first === undefined ? [] : [{ ...first, size: sumOf([first, ...more]) }],
  )
}

/** How many percent get each value. */
export function sizesBy(
  shares: readonly SplitShare[],
  side: "before" | "after",
): ReadonlyMap<string, number> {
  const sizes = new Map<string, number>()
  for (const share of shares) {
    const value = share[side]
    if (value !== undefined) sizes.set(value, rounded((sizes.get(value) ?? 0) + share.size))
  }
  return sizes
}
