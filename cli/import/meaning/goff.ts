import { parseMoment } from "../../../sdk/evaluation/moment.ts"
import { type Attributes, type Bucket, type Meaning, toCaller, toValue } from "../form/form.ts"
import { inOrder } from "../form/in-order.ts"
import { type Operand, parseQuery, type Query } from "../form/query.ts"
import type { GoffFlag, GoffRule } from "../sources/goff.ts"
import { applyLogic, isTruthy } from "./json-logic.ts"
import { compareSemver } from "./semver.ts"

/** Evaluates a flag as GO Feature Flag's modules/core/flag does. The time, if it matters, is in the attribute `clock`. */
export function goffMeaning(key: string, flag: GoffFlag, clock: string): Meaning {
  const give = (name: string | undefined) => {
    const value = flag.variations.get(name ?? "")
    return value === undefined ? toCaller : toValue(value)
  }
  const isTimed = [...flag.rules, flag.otherwise].some(({ stages }) => stages.length > 0)
  const needsBucket = flag.bucketingKey !== "targetingKey" || needsTargetingKey(flag)
  return (attributes, bucket, isOn = !flag.isDisabled) => {
    if (!isOn) return toCaller
    const time = isTimed ? attributes(clock) : undefined
    const now = typeof time === "string" ? parseMoment(time) : undefined
    if (isTimed && now === undefined) return undefined // its own clock decides
    const id = attributes(flag.bucketingKey)
    // Clients do not evaluate shares without a targeting key.
    if (needsBucket && (typeof id !== "string" || id === ""))
      return flag.bucketingKey === "targetingKey" ? undefined : toCaller
    const rule = flag.rules.find((rule) => matches(rule, attributes)) ?? flag.otherwise
    const begun = rule.stages.findLast((stage) => (parseMoment(stage.at) ?? Number.NaN) <= (now ?? 0))
    const { shares } = begun ?? rule
    return give(shares.length > 0 ? pickVariation(shares, key, String(id), bucket) : rule.variation)
  }
}

/** Whether the tool evaluates the flag only with a targeting key, as it does every flag that has a percentage. */
export function needsTargetingKey({ bucketingKey, rules, otherwise }: GoffFlag): boolean {
  return bucketingKey === "targetingKey" && [...rules, otherwise].some(({ shares }) => shares.length > 0)
}

function pickVariation(
  shares: GoffRule["shares"],
  key: string,
  id: string,
  bucket: Bucket,
): string | undefined {
  const point = bucket(key, id) * shares.reduce((sum, [, share]) => sum + share, 0)
  let end = 0
  for (const [name, share] of shares) {
    end += share
    if (point < end) return name
  }
  return undefined
}

function matches({ query, logic }: GoffRule, attributes: Attributes): boolean {
  if (query === undefined) return true
  if (logic === undefined) {
    const parsed = parseQuery(query)
    return typeof parsed !== "string" && isMet(parsed, attributes)
  }
  try {
    return isTruthy(
      applyLogic(logic, {
        variable: (name) => read(attributes, name),
        named: () => undefined,
        operation: () => undefined,
      }),
    )
  } catch {
    return false // JsonLogic that panics there does not match
  }
}

/** The attribute's value; the targeting key has three names, and `anonymous` always has a value. */
function read(attributes: Attributes, name: string): unknown {
  if (name === "anonymous") return attributes(name) === true
  return attributes(name === "key" || name === "user_key" ? "targetingKey" : name)
}

function isMet(query: Query, attributes: Attributes): boolean {
  switch (query.kind) {
    case "and":
      return isMet(query.left, attributes) && isMet(query.right, attributes)
    case "or":
      return isMet(query.left, attributes) || isMet(query.right, attributes)
    case "not":
      return !isMet(query.query, attributes)
    case "present":
      return read(attributes, query.attribute) !== undefined
    case "compare":
      return compares(read(attributes, query.attribute), query.operator, query.operand)
  }
}

/** An attribute of a different type makes the comparison an error, which counts as false. */
function compares(value: unknown, operator: string, operand: Operand): boolean {
  const folded = typeof value === "string" ? toLower(value) : undefined
  switch (operand.kind) {
    case "text":
      return folded !== undefined && comparesTexts(folded, operator, toLower(operand.text))
    case "number": {
      if (typeof value !== "number") return false
      const whole = operand.isWhole ? Math.trunc(value) : value
      return inOrder(operator, whole - operand.number)
    }
    case "boolean":
      return typeof value === "boolean" && inOrder(operator, Number(value !== operand.is))
    case "version":
      return (
        typeof value === "string" && inOrder(operator, compareSemver(value, operand.version) ?? Number.NaN)
      )
    case "list":
      return (typeof value === "string" || typeof value === "number") && operand.items.includes(value)
    case "null":
      return false
  }
}

/** Lower case as in Go, where no letter becomes two or depends on its neighbours. */
function toLower(text: string): string {
  return text.replaceAll("İ", "i").replaceAll("Σ", "σ").toLowerCase()
}

function comparesTexts(value: string, operator: string, operand: string): boolean {
  if (operator === "co") return value.includes(operand)
  if (operator === "sw") return value.startsWith(operand)
  if (operator === "ew") return value.endsWith(operand)
  return inOrder(operator, value === operand ? 0 : value < operand ? -1 : 1)
}
