import type { PatternConstraint } from "./constraint.ts"
import type { ScalarQuestion, Sides } from "./scalar-question.ts"

/** What texts must begin with, end with and contain. */
export interface Pattern {
  readonly prefix: string
  readonly suffix: string
  readonly contained: readonly string[]
}

/** The pattern that `holds` ask for together; `undefined` if no text has it, or if every text that has it breaks one of `fails`. */
export function patternOf({ holds, fails }: Sides<PatternConstraint>): Pattern | undefined {
  let [prefix, suffix] = ["", ""]
  const contained: string[] = []
  for (const { where, text } of holds) {
    if (where === "startsWith" && text.length > prefix.length) prefix = text
    else if (where === "endsWith" && text.length > suffix.length) suffix = text
    else if (where === "contains" && text !== "") contained.push(text)
  }
  const agrees = holds.every(
    ({ where, text }) =>
      (where !== "startsWith" || prefix.startsWith(text)) && (where !== "endsWith" || suffix.endsWith(text)),
  )
  if (!agrees) return undefined
  const parts = [prefix, suffix, ...contained]
  // Every text with the pattern has these parts, so what is true of them is true of it.
  const breaks = fails.some(
    ({ where, text }) =>
      (where === "startsWith" && prefix.startsWith(text)) ||
      (where === "endsWith" && suffix.endsWith(text)) ||
      (where === "contains" && parts.some((part) => part.includes(text))),
  )
  return breaks ? undefined : { prefix, suffix, contained }
}

/**
 * Texts with the pattern. All but the first few have a character between its parts that occurs in no constraint and in
 * no number, version or moment. So they are in no list, match no other pattern, and cannot be read as anything but text.
 */
export function* textsWith(pattern: Pattern, question: ScalarQuestion, count: number): Generator<string> {
  const { prefix, suffix, contained } = pattern
  const join = (filler: string) => prefix + filler + contained.map((text) => text + filler).join("") + suffix
  // Shares are mostly of ids, and people write a number for an id.
  for (let id = 1; id <= 100 && count > 100; id++) yield join(String(id))
  for (const filler of ["", "x", "a", "other"]) yield join(filler)
  const [first, second] = freshCharacters(question)
  for (let index = 0; index < count; index++)
    yield join([...index.toString(2)].map((digit) => (digit === "0" ? first : second)).join(""))
}

/** Two characters that no constraint has in its texts. */
function freshCharacters({ texts, pattern }: ScalarQuestion): readonly [string, string] {
  const used = new Set<string>()
  for (const constraint of texts.fails) for (const text of constraint.texts) addUnits(text, used)
  for (const { text } of [...pattern.holds, ...pattern.fails]) addUnits(text, used)
  const fresh: string[] = []
  const add = (character: string) => {
    if (fresh.length < 2 && !used.has(character)) fresh.push(character)
  }
  for (const character of "~_|*^§") add(character)
  for (let code = 0x4e00; fresh.length < 2 && code < 0xd800; code++) add(String.fromCharCode(code))
  return [fresh[0] ?? "\ufffd", fresh[1] ?? "\ufffd"]
}

function addUnits(text: string, used: Set<string>): void {
  for (let index = 0; index < text.length; index++) used.add(text.charAt(index))
}
