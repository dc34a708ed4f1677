import { none } from "../answer.ts"
import type { PatternConstraint } from "../constraint.ts"
import type { Pattern } from "../patterns.ts"
import type { ScalarQuestion } from "../scalar-question.ts"
import type { Values } from "../scalar-values.ts"
import type { Work } from "../work.ts"
import { type Acceptor, acceptorOf, both, type Machine } from "./acceptor.ts"
import { type Parts, partsMachine } from "./parts-machine.ts"
import { prefixMachine } from "./prefix-machine.ts"
import { type SearchResult, search } from "./search.ts"
import { alphabets, commonTo, symbolsOf } from "./symbols.ts"

/** What is asked of a scalar that is a number, a version or a moment, and how it is judged. */
export interface Spelled {
  readonly question: ScalarQuestion
  readonly pattern: Pattern
  /** At least one of them is there. */
  readonly values: Values
  readonly isMember: (scalar: unknown) => boolean
  /** Whether nothing but an expression refuses a scalar. */
  readonly isRefused: (scalar: unknown) => boolean
  /** How many are judged at most where the SDK refuses what the acceptors accept: for a share, a list or an expression. */
  readonly mostTexts: number
}

/** A machine that is still to be given its symbols. */
export type Reader = (symbols: readonly string[], work: Work) => Acceptor

export function reader<S>(machine: Machine<S>): Reader {
  return (symbols, work) => acceptorOf(machine, symbols, work)
}

export interface Asked {
  /** The alphabets of what the texts are besides versions. */
  readonly kinds: readonly string[]
  readonly readers: readonly Reader[]
  /** What accepts all texts that are searched, and knows the pattern; `undefined`: that is not known yet. */
  readonly guide: Acceptor | undefined
  readonly hasCloser: boolean
  /** What a text stands for; `undefined` for nothing. */
  readonly valueIn?: (text: string) => unknown
}

/** Searches the texts that all readers accept, and the guide or the pattern. */
export function ask(
  { question, pattern, values, isMember, isRefused, mostTexts }: Spelled,
  asked: Asked,
  work: Work,
): SearchResult {
  const { kinds, readers, guide, hasCloser, valueIn = (text) => text } = asked
  const alphabet = commonTo(values.versions === undefined ? kinds : [...kinds, alphabets.version])
  const { prefix, suffix, contained } = pattern
  if ([prefix, suffix, ...contained].some((part) => [...part].some((one) => !alphabet.includes(one))))
    return none
  const texts = [...question.pattern.holds, ...question.pattern.fails].map(({ text }) => text)
  work.spend(200 + texts.reduce((sum, text) => sum + text.length, 0))
  const symbols = symbolsOf(
    alphabet,
    namedBy([...texts, ...versionsOf(values, question)]),
    values.versions !== undefined,
  )
  const firsts = symbols.map(([first = ""]) => first)
  const own = [...(guide === undefined ? readersOf(question, pattern) : []), ...readers].map((one) =>
    one(firsts, work),
  )
  const acceptor = (guide === undefined ? own : [guide, ...own]).reduce((all, one) =>
    both(all, one, symbols.length, work),
  )
  const judge = (text: string) => {
    const value = valueIn(text)
    return value !== undefined && isMember(value) ? value : undefined
  }
  const isRefusedText = (text: string) => isRefused(valueIn(text))
  return search({ acceptor, symbols, judge, isRefused: isRefusedText, mostTexts, hasCloser }, work)
}

/** The characters of the constraints, and the letter with a meaning of its own. */
function namedBy(texts: readonly string[]): ReadonlySet<string> {
  const named = new Set("v")
  for (const text of texts) for (const character of text) named.add(character)
  return named
}

function versionsOf({ versions }: Values, question: ScalarQuestion): readonly string[] {
  const intervals = versions ?? question.versions.fails.flatMap((one) => one.intervals)
  return intervals.flatMap(({ from, to }) => [from?.value.text ?? "", to?.value.text ?? ""])
}

function readersOf(
  { pattern: { fails } }: ScalarQuestion,
  { prefix, suffix, contained }: Pattern,
): readonly Reader[] {
  const unwanted = (where: PatternConstraint["where"]) =>
    fails.filter((one) => one.where === where).map(({ text }) => text)
  const neverFirst = unwanted("startsWith")
  const parts: Parts = {
    contained: contained.filter((text) => !prefix.includes(text) && !suffix.includes(text)),
    suffix,
    neverContained: unwanted("contains"),
    neverLast: unwanted("endsWith"),
  }
  const hasParts =
    suffix !== "" || parts.contained.length + parts.neverContained.length + parts.neverLast.length > 0
  return [
    ...(prefix !== "" || neverFirst.length > 0 ? [reader(prefixMachine(prefix, neverFirst))] : []),
    ...(hasParts ? [reader(partsMachine(parts))] : []),
  ]
}
