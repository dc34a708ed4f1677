import { foldCase } from "../../sdk/evaluation/fold-case.ts"
import { isCaseBlind, type PatternConstraint } from "./constraint.ts"
import { isAsked, type ScalarQuestion, type Sides } from "./scalar-question.ts"

/** What strings must begin with, end with and contain. */
export interface Pattern {
  readonly prefix: string
  readonly suffix: string
  readonly contained: readonly string[]
}

/**
 * The pattern that `holds` require together; `undefined` if no string has it, or if every string that has it breaks one of
 * `fails`. Where case is ignored, it is one of the possible spellings.
 */
export function patternOf({ holds, fails }: Sides<PatternConstraint>): Pattern | undefined {
  const prefix = endOf(holds, "start", (text, other) => text.startsWith(other))
  const suffix = endOf(holds, "end", (text, other) => text.endsWith(other))
  if (prefix === undefined || suffix === undefined) return undefined
  const inside = holds.filter(({ where, text }) => where === "inside" && text !== "")
  const contained = inside.map(({ text }) => text)
  // Every string with the pattern has these parts, in this case or in any, so what is true of them is true of it.
  const exact = [prefix.exact, suffix.exact, ...inside.flatMap((one) => (one.ignoresCase ? [] : one.text))]
  const folded = [prefix.whole, suffix.whole, ...contained].map(foldCase)
  const breaks = fails.some(({ where, text, ignoresCase }) => {
    const parts = ignoresCase ? folded : exact
    if (where === "start") return parts[0]?.startsWith(text)
    return where === "end" ? parts[1]?.endsWith(text) : parts.some((part) => part.includes(text))
  })
  return breaks ? undefined : { prefix: prefix.whole, suffix: suffix.whole, contained }
}

/** What strings must begin or end with: in exactly this case, and as a whole. `undefined` if that contradicts itself. */
function endOf(
  holds: readonly PatternConstraint[],
  where: "start" | "end",
  agrees: (text: string, other: string) => boolean,
): { readonly exact: string; readonly whole: string } | undefined {
  const asked = holds.filter((one) => one.where === where)
  const longest = (ends: readonly PatternConstraint[]) =>
    ends.reduce((most, { text }) => (text.length > most.length ? text : most), "")
  const exact = longest(asked.filter(({ ignoresCase }) => !ignoresCase))
  const any = longest(asked)
  const rest = any.length - exact.length
  const whole = where === "start" ? exact + any.slice(exact.length) : any.slice(0, rest) + exact
  const isOne = asked.every(({ text, ignoresCase }) =>
    ignoresCase ? agrees(foldCase(whole), text) : agrees(exact, text),
  )
  return isOne ? { exact, whole } : undefined
}

/**
 * Strings with the pattern. All but the first few have a character between its parts that occurs in no constraint and in
 * no number, version or moment. So they are in no list, match no other pattern, and cannot be read as anything but strings.
 */
export function* textsWith(pattern: Pattern, question: ScalarQuestion, count: number): Generator<string> {
  const isBlind = [...question.texts.fails, ...question.pattern.holds].some(isCaseBlind)
  const all = textsBetween(pattern, question, count)
  if (isBlind) for (const text of all) yield* inEitherCase(text)
  else yield* all
}

const mostLetters = 6

/** Whether `inEitherCase` gives all ways to write a string. */
export function hasFewLetters(text: string): boolean {
  return (text.match(/[A-Za-z]/g) ?? []).length <= mostLetters
}

/** The ways to write a string of A to Z in lower and upper case; of a long one the likely ones. */
export function inEitherCase(text: string): readonly string[] {
  if (!hasFewLetters(text)) return [text, raised(text), raised(text.slice(0, 1)) + text.slice(1)]
  return Array.from(text).reduce<readonly string[]>(
    (begun, letter) =>
      [...new Set([letter, raised(letter)])].flatMap((one) => begun.map((text) => text + one)),
    [""],
  )
}

function raised(text: string): string {
  return text.replace(/[a-z]+/g, (letters) => letters.toUpperCase())
}

function* textsBetween(pattern: Pattern, question: ScalarQuestion, count: number): Generator<string> {
  const { prefix, suffix, contained } = pattern
  const join = (filler: string) => prefix + filler + contained.map((text) => text + filler).join("") + suffix
  // Shares are mostly of ids, and authors write a number for an id.
  if (isAsked(question.share)) for (let id = 1; id <= 100; id++) yield join(String(id))
  for (const filler of ["", "x", "a", "other"]) yield join(filler)
  const [first, second] = freshCharacters(question)
  for (let index = 0; index < count; index++)
    yield join([...index.toString(2)].map((digit) => (digit === "0" ? first : second)).join(""))
}

/** Two characters that appear in no constraint's strings. */
function freshCharacters({ texts, pattern }: ScalarQuestion): readonly [string, string] {
  const used = new Set<string>()
  const asked = [
    ...texts.fails.flatMap((one) => one.texts),
    ...[...pattern.holds, ...pattern.fails].map(({ text }) => text),
  ]
  for (const text of asked) for (const unit of text.split("")) used.add(unit)
  const fresh: string[] = []
  const add = (character: string) => {
    if (!used.has(character)) fresh.push(character)
  }
  for (const character of "~_|*^§") add(character)
  for (let code = 0x4e00; fresh.length < 2 && code < 0xd800; code++) add(String.fromCharCode(code))
  return [fresh[0] ?? "\ufffd", fresh[1] ?? "\ufffd"]
}
