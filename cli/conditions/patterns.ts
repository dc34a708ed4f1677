import type { Constraint } from "./constraint.ts"

/** What texts have to begin with, end with and contain. */
export interface Pattern {
  readonly prefix: string
  readonly suffix: string
  readonly contained: readonly string[]
}

/** The pattern of all constraints together; `undefined` where no text has it, or each that has it breaks a `fails`. */
export function patternOf(holds: readonly Constraint[], fails: readonly Constraint[]): Pattern | undefined {
  let [prefix, suffix] = ["", ""]
  const contained: string[] = []
  for (const constraint of holds) {
    if (constraint.kind === "startsWith") {
      if (constraint.text.length > prefix.length) prefix = constraint.text
    } else if (constraint.kind === "endsWith") {
      if (constraint.text.length > suffix.length) suffix = constraint.text
    } else if (constraint.kind === "contains") contained.push(constraint.text)
  }
  const agrees = holds.every(
    (constraint) =>
      (constraint.kind !== "startsWith" || prefix.startsWith(constraint.text)) &&
      (constraint.kind !== "endsWith" || suffix.endsWith(constraint.text)),
  )
  if (!agrees) return undefined
  const parts = [prefix, suffix, ...contained]
  // Every text with the pattern has these parts, so what is true of them is true of it.
  const breaks = fails.some(
    (constraint) =>
      (constraint.kind === "startsWith" && prefix.startsWith(constraint.text)) ||
      (constraint.kind === "endsWith" && suffix.endsWith(constraint.text)) ||
      (constraint.kind === "contains" && parts.some((part) => part.includes(constraint.text))),
  )
  return breaks ? undefined : { prefix, suffix, contained: contained.filter((text) => text !== "") }
}

/**
 * Texts with the pattern. Those after the first few have a character between its parts that is in no constraint and in
 * no number, version or moment: so they are in no set of texts, break no other pattern, and are nothing but texts.
 */
export function* textsWith(
  pattern: Pattern,
  constraints: readonly Constraint[],
  count: number,
): Generator<string> {
  const { prefix, suffix, contained } = pattern
  const join = (filler: string) => prefix + filler + contained.map((text) => text + filler).join("") + suffix
  for (const filler of ["", "x", "a", "other"]) yield join(filler)
  const [first, second] = freshCharacters(constraints)
  for (let index = 0; index < count; index++)
    yield join([...index.toString(2)].map((digit) => (digit === "0" ? first : second)).join(""))
}

/** Two characters that no constraint has in its texts. */
function freshCharacters(constraints: readonly Constraint[]): readonly [string, string] {
  const used = new Set<string>()
  for (const constraint of constraints) {
    if (constraint.kind === "texts") for (const text of constraint.texts) addUnits(text, used)
    else if ("text" in constraint) addUnits(constraint.text, used)
  }
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
