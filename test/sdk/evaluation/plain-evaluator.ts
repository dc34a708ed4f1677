import { createHash } from "node:crypto"
import { types } from "node:util"
import { RE2JS } from "re2js"
import type { FlagEntry, Json } from "../../../sdk/contract/snapshot.ts"
import { classNames } from "./class-names.ts"

// A second implementation of docs/evaluation.md, only for clarity: each condition is computed from its strings
// every time. It shares no line with sdk/evaluation/.

type Answer = { readonly value: Json; readonly cause: string; readonly ruleId?: string } | "unknown"
type Truth = boolean | "unknown"

interface Condition {
  readonly attribute: string
  readonly operator: string
  readonly value: string
}

class Unreadable extends Error {}

export function plainEvaluate({ flag, environment }: FlagEntry, context: object): Answer {
  if (environment === null) return { value: flag.defaultValue, cause: "unconfigured" }
  if (!environment.enabled) return { value: flag.defaultValue, cause: "disabled" }
  const tooLarge = largeExpressions(environment.rules)
  for (const rule of environment.rules) {
    const truth = plainMatch(rule, context, flag.key, tooLarge)
    if (truth === "unknown") return "unknown"
    const causes: Readonly<Record<string, string>> = { percentage: "share", share: "share", always: "always" }
    if (truth) return { value: rule.returnValue, cause: causes[rule.operator] ?? "rule", ruleId: rule.id }
  }
  return { value: flag.defaultValue, cause: "default" }
}

function plainMatch(
  condition: Condition,
  context: object,
  flagKey: string,
  tooLarge: ReadonlySet<string>,
): Truth {
  try {
    checkGroups(condition)
    if (expressionsIn(condition).some((expression) => tooLarge.has(expression))) throw new Unreadable()
    return match(condition, context, flagKey)
  } catch (error) {
    if (error instanceof Unreadable) return false
    throw error
  }
}

/** The expressions that are too long, or too large, alone or after those before them. The engine itself counts their instructions. */
function largeExpressions(rules: readonly Condition[]): ReadonlySet<string> {
  let sum = 0
  return new Set(
    [...new Set(rules.flatMap(expressionsIn))].filter((expression) => {
      if ([...expression].length > 4_000) return true
      const size = sizeOf(expression)
      sum += size
      return size > 1_000 || sum > 5_000
    }),
  )
}

function expressionsIn({ operator, value }: Condition): readonly string[] {
  if (operator === "matches" || operator === "notMatches") return [value]
  if (!["all", "any", "none"].includes(operator)) return []
  try {
    return readGroup(value).flatMap(expressionsIn)
  } catch {
    return [] // no group
  }
}

function sizeOf(expression: string): number {
  try {
    return RE2JS.compile(expression).programSize()
  } catch {
    return 0
  }
}

/** At most 8 nested groups, with 1,000 conditions in them. */
function checkGroups(rule: Condition): void {
  let conditions = 0
  const visit = (condition: Condition, depth: number): void => {
    if (!["all", "any", "none"].includes(condition.operator)) return
    if (depth > 8) throw new Unreadable()
    for (const part of readGroup(condition.value)) {
      conditions++
      visit(part, depth + 1)
    }
  }
  visit(rule, 1)
  if (conditions > 1000) throw new Unreadable()
}

function match(condition: Condition, context: object, flagKey: string): Truth {
  const { attribute, operator, value } = condition
  if (operator === "all" || operator === "any" || operator === "none") {
    // Every part is evaluated, so that an unreadable one is found whatever the others give.
    const truths = readGroup(value).map((part) => match(part, context, flagKey))
    const deciding = operator !== "all"
    const truth = truths.includes(deciding) ? deciding : truths.includes("unknown") ? "unknown" : !deciding
    return operator === "none" && truth !== "unknown" ? !truth : truth
  }
  if (operator === "always") return true
  const subject = readSubject(context, attribute)
  if (operator === "exists") return subject !== undefined
  if (operator === "notExists") return subject === undefined
  const test = elementTest(operator, value, flagKey)
  if (test === undefined) return "unknown"
  if (subject === undefined) return false
  const elements = readElements(subject)
  if (operator === "percentage" || operator === "share") return elements === undefined && test(subject)
  if (operator === "semverNotEquals") {
    const isVersion = (one: unknown) => readVersion(plainText(one)) !== undefined
    if (elements === undefined) return isVersion(subject) && !test(subject)
    return elements.length === 0 || (elements.some(isVersion) && !elements.some(test))
  }
  if (/^not/.test(operator)) {
    if (elements === undefined) return plainText(subject) !== undefined && !test(subject)
    return !elements.some(test)
  }
  return elements === undefined ? test(subject) : elements.some(test)
}

const wellFormed = (text: string) => Buffer.from(text, "utf8").toString("utf8")

/** Whether the operator, or the positive twin of a negation, matches one value. */
function elementTest(
  operator: string,
  operand: string,
  flagKey: string,
): ((value: unknown) => boolean) | undefined {
  const onText = (test: (text: string) => boolean) => (value: unknown) => {
    const text = plainText(value)
    return text !== undefined && test(text)
  }
  const onNumbers = (test: (a: number, b: number) => boolean) => {
    const b = readNumber(operand)
    if (b === undefined) throw new Unreadable()
    return (value: unknown) => {
      const a = isNumber(value) ? Number(value) : typeof value === "string" ? readNumber(value) : undefined
      return a !== undefined && test(a, b)
    }
  }
  const onMoments = (test: (a: number, b: number) => boolean) => {
    const b = readMoment(operand)
    if (b === undefined) throw new Unreadable()
    return (value: unknown) => {
      if (isNumber(value)) return test(Math.trunc(Number(value)), b)
      const a = types.isDate(value)
        ? value.getTime()
        : typeof value === "string"
          ? readMoment(value)
          : undefined
      return a !== undefined && test(a, b)
    }
  }
  const onVersions = (test: (order: number) => boolean) => {
    const range = /^(v?\d+(\.\d+)*)\.\*$/.exec(operand)
    const b = readVersion(range?.[1] ?? operand)
    if (b === undefined) throw new Unreadable()
    return onText((text) => {
      const a = readVersion(text)
      if (a === undefined) return false
      return test(
        range === null ? order(a, b) : orderNumbers(a.numbers.slice(0, b.numbers.length), b.numbers),
      )
    })
  }
  const ignoring = /^(not(Equals|Contains|In)|equals|contains|startsWith|endsWith|in)IgnoreCase$/.exec(
    operator,
  )
  if (ignoring !== null) {
    const isList = /in$/i.test(ignoring[1] ?? "")
    const folded = isList ? JSON.stringify(readTexts(operand).map(lowered)) : lowered(operand)
    const twin = elementTest(operator.slice(0, -"IgnoreCase".length), folded, flagKey)
    return onText((text) => twin?.(lowered(text)) === true)
  }
  const inRange = (seed: string, from: number, to: number) => {
    if (!(from >= 0 && from <= to && to <= 100)) throw new Unreadable()
    return onText((text) => {
      const digest = createHash("sha256")
        .update(Buffer.from(`${seed}:${text}`, "utf8"))
        .digest()
      const point = digest.readUInt32BE(0) * 100
      return text !== "" && from * 2 ** 32 <= point && point < to * 2 ** 32
    })
  }
  switch (operator) {
    case "equals":
    case "notEquals":
      return onText((text) => text === operand)
    case "contains":
    case "notContains":
      return onText((text) => text.indexOf(operand) >= 0)
    case "startsWith":
      return onText((text) => text.slice(0, operand.length) === operand)
    case "endsWith":
      return onText((text) => operand === "" || text.slice(-operand.length) === operand)
    case "matches":
    case "notMatches": {
      const expression = readExpression(wellFormed(operand))
      return onText((text) => expression.matcher(wellFormed(text)).find())
    }
    case "in":
    case "notIn": {
      const list = readTexts(operand)
      return onText((text) => list.includes(text))
    }
    case "greaterThan":
      return onNumbers((a, b) => a > b)
    case "greaterThanOrEquals":
      return onNumbers((a, b) => a >= b)
    case "lessThan":
      return onNumbers((a, b) => a < b)
    case "lessThanOrEquals":
      return onNumbers((a, b) => a <= b)
    case "semverEquals":
    case "semverNotEquals":
      return onVersions((sign) => sign === 0)
    case "semverGreaterThan":
      return onVersions((sign) => sign > 0)
    case "semverGreaterThanOrEquals":
      return onVersions((sign) => sign >= 0)
    case "semverLessThan":
      return onVersions((sign) => sign < 0)
    case "semverLessThanOrEquals":
      return onVersions((sign) => sign <= 0)
    case "before":
      return onMoments((a, b) => a < b)
    case "after":
      return onMoments((a, b) => a > b)
    case "beforeOrEquals":
      return onMoments((a, b) => a <= b)
    case "afterOrEquals":
      return onMoments((a, b) => a >= b)
    case "percentage":
      if (!/^\d+(\.\d+)?$/.test(operand)) throw new Unreadable()
      return inRange(flagKey, 0, Number(operand))
    case "share": {
      const share: unknown = readJson(operand)
      if (typeof share !== "object" || share === null) throw new Unreadable()
      const [seed, from, to] = ["seed", "from", "to"].map((name): unknown => Reflect.get(share, name))
      if (typeof seed !== "string" || typeof from !== "number" || typeof to !== "number")
        throw new Unreadable()
      return inRange(seed, from, to)
    }
    default:
      return undefined
  }
}

function readSubject(context: object, attribute: string): unknown {
  try {
    if (!Object.hasOwn(context, attribute)) return undefined
    const value: unknown = Reflect.get(context, attribute)
    return value === null ? undefined : value
  } catch {
    return undefined
  }
}

/** The elements of a list; one without a text if it throws; `undefined` if it is not a list. */
function readElements(value: unknown): readonly unknown[] | undefined {
  let isList = false
  try {
    isList = Array.isArray(value)
    return isList ? Array.from(value as readonly unknown[]) : undefined
  } catch {
    return isList ? [null] : undefined
  }
}

function isNumber(value: unknown): value is number | bigint {
  return typeof value === "number" || typeof value === "bigint"
}

function plainText(value: unknown): string | undefined {
  if (typeof value === "string") return value
  if (isNumber(value)) return String(Number(value))
  if (typeof value === "boolean") return String(value)
  const isMoment = types.isDate(value) && !Number.isNaN(value.getTime())
  return isMoment ? value.toISOString() : undefined
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new Unreadable()
  }
}

function readTexts(text: string): readonly string[] {
  const list = readJson(text)
  if (!Array.isArray(list) || list.some((item) => typeof item !== "string")) throw new Unreadable()
  return list
}

function lowered(text: string): string {
  return [...text].map((one) => (one >= "A" && one <= "Z" ? one.toLowerCase() : one)).join("")
}

function readGroup(text: string): readonly Condition[] {
  const list = readJson(text)
  const isCondition = (part: unknown) =>
    typeof part === "object" &&
    part !== null &&
    ["attribute", "operator", "value"].every((member) => typeof Reflect.get(part, member) === "string")
  if (!Array.isArray(list) || list.length === 0 || !list.every(isCondition)) throw new Unreadable()
  return list
}

/** Fails for a name that the page does not list. */
function checkProperties(source: string): void {
  let at = 0
  while (at < source.length) {
    const rest = source.slice(at)
    const [quoted] = /^\\Q[\s\S]*?(?:\\E|$)/.exec(rest) ?? []
    const [, inBraces, letter] = /^\\[pP](?:\{(\^?\w*)\}|([\s\S]))/.exec(rest) ?? []
    const name = (inBraces ?? letter)?.replace("^", "")
    if (name !== undefined && !classNames.includes(name)) throw new Unreadable()
    at += quoted?.length ?? (source[at] === "\\" ? 2 : 1)
  }
}

function readExpression(source: string): RE2JS {
  if (/\(\?P?<[^>]*[^\w>]/.test(source)) throw new Unreadable()
  checkProperties(source)
  try {
    return RE2JS.compile(source)
  } catch {
    throw new Unreadable()
  }
}

function readNumber(text: string): number | undefined {
  return /^-?[0-9]+(\.[0-9]+)?((e|E)[+-]?[0-9]+)?$/.test(text) ? Number.parseFloat(text) : undefined
}

function readMoment(text: string): number | undefined {
  const fields =
    /^(\d{4})-(\d\d)-(\d\d)(?:[tT](\d\d):(\d\d):(\d\d)(?:\.(\d+))?(?:[zZ]|([+-])(\d\d):(\d\d)))?$/.exec(
      text ?? "",
    )
  if (fields === null) return undefined
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = fields
    .slice(1, 7)
    .map((field) => Number(field ?? 0))
  const [fraction = "", sign, offsetHour = "0", offsetMinute = "0"] = fields.slice(7)
  if (hour > 23 || minute > 59 || second > 59 || Number(offsetHour) > 23 || Number(offsetMinute) > 59)
    return undefined
  const date = new Date(0)
  date.setUTCFullYear(year, month - 1, day)
  if (date.getUTCFullYear() !== year || date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day)
    return undefined
  date.setUTCHours(hour, minute, second, Number(`${fraction}000`.slice(0, 3)))
  const offset = (Number(offsetHour) * 60 + Number(offsetMinute)) * 60_000
  return date.getTime() - (sign === "-" ? -offset : offset)
}

interface Version {
  readonly numbers: readonly bigint[]
  readonly prerelease: readonly string[] | undefined
}

function readVersion(text: string | undefined): Version | undefined {
  const identifiers = "[0-9A-Za-z-]+(?:\\.[0-9A-Za-z-]+)*"
  const match = new RegExp(`^v?(\\d+(?:\\.\\d+)*)(?:-(${identifiers}))?(?:\\+${identifiers})?$`).exec(
    text ?? "",
  )
  if (match === null) return undefined
  return { numbers: (match[1] ?? "").split(".").map(BigInt), prerelease: match[2]?.split(".") }
}

function orderNumbers(a: readonly bigint[], b: readonly bigint[]): number {
  for (let index = 0; index < Math.max(a.length, b.length); index++) {
    const [left, right] = [a[index] ?? 0n, b[index] ?? 0n]
    if (left !== right) return left < right ? -1 : 1
  }
  return 0
}

function order(a: Version, b: Version): number {
  const numbers = orderNumbers(a.numbers, b.numbers)
  if (numbers !== 0) return numbers
  if (a.prerelease === undefined || b.prerelease === undefined)
    return Number(a.prerelease === undefined) - Number(b.prerelease === undefined)
  for (let index = 0; index < Math.max(a.prerelease.length, b.prerelease.length); index++) {
    const [left, right] = [a.prerelease[index], b.prerelease[index]]
    if (left === undefined || right === undefined) return left === undefined ? -1 : 1
    const areNumbers = [left, right].map((part) => /^\d+$/.test(part))
    if (areNumbers[0] !== areNumbers[1]) return areNumbers[0] ? -1 : 1
    const [l, r] = areNumbers[0] ? [BigInt(left), BigInt(right)] : [left, right]
    if (l !== r) return l < r ? -1 : 1
  }
  return 0
}
