import { numberOf } from "./decimal.ts"
import type { CompileExpression } from "./expression.ts"
import { foldCase } from "./fold-case.ts"
import { anyMoment, anyNumber, anyText, anyVersion, type Matches, noText, otherVersion } from "./matches.ts"
import { parseMoment } from "./moment.ts"
import { createShares, type Share } from "./share.ts"
import { parsePercentage, parseShare, type ShareRange } from "./share-range.ts"
import { createTextLists, isInList, type TextList, type TextLists } from "./text-lists.ts"
import { textOf } from "./text-of.ts"
import { parseVersionOperand } from "./version.ts"

// The operators, one row each: how SDKs read the operand, and what matches. cli/language/operators.ts has the rest.

/** What all conditions of a document share. */
export interface DocumentScope {
  readonly compileExpression: CompileExpression
  /** Without it, each list is stored separately. */
  readonly textLists?: TextLists
  /** Without it, each flag computes its own hashes. */
  readonly shareOf?: (seed: string) => Share
}

/** What operators need besides operand and attribute. */
export interface OperatorScope extends DocumentScope {
  /** The seed of `percentage`: the flag key. */
  readonly seed: string
  readonly shareOf: (seed: string) => Share
}

/** What the operators of one flag need. */
export function scopeOfFlag(key: string, document: DocumentScope): OperatorScope {
  return { ...document, seed: key, shareOf: document.shareOf ?? createShares() }
}

/** How an operator reads its operand, once, and how it compares an attribute with it. */
interface Row<T> {
  /** `undefined` if the operator cannot read the text. */
  readonly read: (text: string, scope: OperatorScope) => T | undefined
  /** `value` is the attribute's value, `undefined` if it is missing. */
  readonly matches: Matches<T>
  /** What a long text costs. */
  readonly cost: Cost
  /** Whether the operand is a regular expression. */
  readonly isExpression?: true
  /** Whether it compares moments. */
  readonly isMoment?: true
  /** Whether it matches everyone, whatever the context has. */
  readonly isAlways?: true
  /** The share that an operand stands for, if the operator picks shares. `key` is the flag's. */
  readonly shareIn?: (text: string, key: string) => ShareRange | undefined
}

/** What an operator does with a long text: at most compares it or looks it up, reads it character by character, or hashes it. */
export type Cost = "compares" | "scans" | "hashes"

/** An operator on texts, and its twin, which reads A to Z as a to z on both sides. */
interface TextRow extends Row<unknown> {
  readonly ignoringCase: Row<unknown>
}

/** Erases the operand's type for the table: each operator gets back what it has read itself. */
function row<T>(read: Row<T>["read"], matches: Matches<T>, cost: Cost): Row<unknown> {
  return { read, matches: matches as Matches<unknown>, cost }
}

/** The operator that compares each text with an operand: `any` must pass the test, or `no` text may. */
type Quantifier = typeof anyText

function onTexts<T>({ read, test, cost }: TextTest<T>, quantifier: Quantifier): TextRow {
  const testFolded: typeof test = (text, operand) => test(foldCase(text), operand)
  return {
    ...row((text, scope) => read(text, asItIs, scope), quantifier(test), cost),
    ignoringCase: row((text, scope) => read(text, foldCase, scope), quantifier(testFolded), "scans"),
  }
}

interface TextTest<T> {
  /** Reads an operand with `fold` applied to each of its texts. */
  readonly read: (text: string, fold: (text: string) => string, scope: OperatorScope) => T | undefined
  readonly test: (text: string, operand: T) => boolean
  readonly cost: Cost
}

function testWith(test: TextTest<string>["test"], cost: Cost = "compares"): TextTest<string> {
  return { read: (text, fold) => fold(text), test, cost }
}

const asItIs = (text: string) => text

const isEqual = testWith((text, operand) => text === operand)
const hasPart = testWith((text, operand) => text.includes(operand), "scans")
const hasStart = testWith((text, operand) => text.startsWith(operand))
const hasEnd = testWith((text, operand) => text.endsWith(operand))
const isListed: TextTest<TextList> = {
  read: (text, fold, { textLists = createTextLists() }) => textLists.add(text, fold),
  test: isInList,
  cost: "compares",
}

function onExpression(quantifier: Quantifier): Row<unknown> {
  const read = (text: string, scope: OperatorScope) => scope.compileExpression(text)
  const matches = quantifier<NonNullable<ReturnType<typeof read>>>((text, isFoundIn) => isFoundIn(text))
  return { ...row(read, matches, "scans"), isExpression: true }
}

const isSame = (a: number, b: number) => a === b
const isAbove = (a: number, b: number) => a > b
const isAtLeast = (a: number, b: number) => a >= b
const isBelow = (a: number, b: number) => a < b
const isAtMost = (a: number, b: number) => a <= b

const onNumber = (test: typeof isSame) => row(numberOf, anyNumber(test), "scans")
const onVersion = (test: typeof isSame) => row(parseVersionOperand, anyVersion(test), "scans")
const onMoment = (test: typeof isSame): Row<unknown> => ({
  ...row(parseMoment, anyMoment(test), "compares"),
  isMoment: true,
})
const onPresence = (matches: (value: unknown) => boolean) => row(asItIs, matches, "compares")

function onShare(shareIn: NonNullable<Row<unknown>["shareIn"]>): Row<unknown> {
  const read = (text: string, { seed, shareOf }: OperatorScope): ShareOperand | undefined => {
    const range = shareIn(text, seed)
    return range && { ...range, share: shareOf(range.seed) }
  }
  return { ...row(read, isInShare, "hashes"), shareIn }
}

interface ShareOperand extends ShareRange {
  readonly share: Share
}

/** The empty string identifies no one, so it is in no share; a list identifies several users, so it is in none either. */
function isInShare(value: unknown, { from, to, share }: ShareOperand): boolean {
  const text = textOf(value)
  if (text === undefined || text === "") return false
  const point = share(text) * 100
  return point >= from && point < to
}

/** docs/evaluation.md defines each operator. */
const rows = {
  equals: onTexts(isEqual, anyText),
  notEquals: onTexts(isEqual, noText),
  contains: onTexts(hasPart, anyText),
  notContains: onTexts(hasPart, noText),
  startsWith: onTexts(hasStart, anyText),
  endsWith: onTexts(hasEnd, anyText),
  matches: onExpression(anyText),
  notMatches: onExpression(noText),
  in: onTexts(isListed, anyText),
  notIn: onTexts(isListed, noText),
  greaterThan: onNumber(isAbove),
  greaterThanOrEquals: onNumber(isAtLeast),
  lessThan: onNumber(isBelow),
  lessThanOrEquals: onNumber(isAtMost),
  semverEquals: onVersion(isSame),
  semverNotEquals: row(parseVersionOperand, otherVersion(), "scans"),
  semverGreaterThan: onVersion(isAbove),
  semverGreaterThanOrEquals: onVersion(isAtLeast),
  semverLessThan: onVersion(isBelow),
  semverLessThanOrEquals: onVersion(isAtMost),
  before: onMoment(isBelow),
  beforeOrEquals: onMoment(isAtMost),
  after: onMoment(isAbove),
  afterOrEquals: onMoment(isAtLeast),
  exists: onPresence((value) => value !== undefined),
  notExists: onPresence((value) => value === undefined),
  percentage: onShare(parsePercentage),
  share: onShare(parseShare),
  always: { ...onPresence(() => true), isAlways: true },
} satisfies Readonly<Record<string, Row<unknown>>>

export type OperatorName = keyof typeof rows

/** An operator by its row, and whether it is the row's twin that ignores the case of A to Z. */
export interface Operator extends Row<unknown> {
  readonly name: OperatorName
  readonly ignoresCase: boolean
}

/** Every operator, by its name on the wire. */
export const operatorsOnWire: ReadonlyMap<string, Operator> = new Map(
  (Object.keys(rows) as OperatorName[]).flatMap(withTwin),
)

function withTwin(name: OperatorName): readonly (readonly [string, Operator])[] {
  const row: Row<unknown> | TextRow = rows[name]
  const exact = [name, { ...row, name, ignoresCase: false }] as const
  if (!("ignoringCase" in row)) return [exact]
  return [exact, [nameIgnoringCase(name), { ...row.ignoringCase, name, ignoresCase: true }]]
}

/** The name on the wire of an operator's twin that ignores case. */
export function nameIgnoringCase(name: string): string {
  return `${name}IgnoreCase`
}

/** Whether every SDK knows the operator: it is neither a group nor a project's own. */
export function isOperator(name: string): boolean {
  return operatorsOnWire.has(name)
}

/** Whether an operator matches everyone, whatever the context has. */
export function isAlways(name: string): boolean {
  return operatorsOnWire.get(name)?.isAlways === true
}

/** Whether an operator's operand is a regular expression. */
export function isExpression(name: string): boolean {
  return operatorsOnWire.get(name)?.isExpression === true
}

/** Whether an operator compares moments. */
export function isMoment(name: string): boolean {
  return operatorsOnWire.get(name)?.isMoment === true
}

/** Whether an operator picks a share of users. */
export function isShare(name: string): boolean {
  return operatorsOnWire.get(name)?.shareIn !== undefined
}

/** The share that an operand stands for; `undefined` if it cannot be read, or the operator picks none. `key` is the flag's. */
export function shareIn(name: string, text: string, key: string): ShareRange | undefined {
  return operatorsOnWire.get(name)?.shareIn?.(text, key)
}

/** What an operator does with a long text; a project's own is never evaluated, and so does nothing with it. */
export function costOf(name: string): Cost | undefined {
  return operatorsOnWire.get(name)?.cost
}

/** An operand, and the function that compares attributes with it. */
export interface BoundOperator {
  readonly matches: Matches<unknown>
  readonly operand: unknown
}

/** Reads an operator's operand; `undefined` if the operator cannot read it, or is not in the table. */
export function bindOperator(name: string, text: string, scope: OperatorScope): BoundOperator | undefined {
  const operator = operatorsOnWire.get(name)
  if (operator === undefined) return undefined
  try {
    const operand = operator.read(text, scope)
    return operand === undefined ? undefined : { matches: operator.matches, operand }
  } catch {
    return undefined // JavaScript's own expressions overflow the stack for a version of megabytes
  }
}
