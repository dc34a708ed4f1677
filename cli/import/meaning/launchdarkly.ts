import { type Attributes, type Bucket, type Meaning, type Outcome, toCaller, toValue } from "../form/form.ts"
import { table } from "../form/table.ts"
import { at, isTrue, items, jsonOf, type Node, numberOf, scalarText, textOf } from "../form/tree.ts"
import type { LaunchDarklyFlag, LaunchDarklyScope } from "../sources/launchdarkly.ts"
import { expression } from "./expression.ts"
import { compareSemver } from "./semver.ts"

/** Evaluates a flag for a context of kind `user`, as evaluator.go does. Malformed data gives the caller's default. */
export function launchDarklyMeaning(flag: LaunchDarklyFlag, scope: LaunchDarklyScope): Meaning {
  return (attributes, bucket, isOn) => {
    const key = attributes("key")
    if (typeof key !== "string" || key === "") return undefined
    const index = evaluate({ scope, user: key, attributes, bucket }, flag, [], isOn)
    return outcomeOf(flag, index)
  }
}

/** A variation's position; `undefined`: the caller's default. */
type Index = number | undefined

function outcomeOf({ variations, config }: LaunchDarklyFlag, index: Index): Outcome {
  if (variations[0] === config) return toValue(jsonOf(config))
  const value = variations[index ?? -1]
  return value === undefined ? toCaller : toValue(jsonOf(value))
}

/** The user whom a flag is evaluated for, and what it may refer to. */
interface Asked {
  readonly scope: LaunchDarklyScope
  readonly user: string
  readonly attributes: Attributes
  readonly bucket: Bucket
}

function evaluate(asked: Asked, flag: LaunchDarklyFlag, chain: readonly string[], isOn?: boolean): Index {
  const { config, key, targets, rules } = flag
  const off = indexOf(at(config, "offVariation"))
  if (!(isOn ?? isTrue(at(config, "on")))) return off
  for (const one of items(at(config, "prerequisites"))) {
    const parent = asked.scope.flags.get(textOf(at(one, "key")) ?? "")
    if (parent === undefined) return off
    if ([...chain, key].includes(parent.key)) return undefined
    const isMet =
      isTrue(at(parent.config, "on")) &&
      evaluate(asked, parent, [...chain, key]) === indexOf(at(one, "variation"))
    if (!isMet) return off
  }
  const target = targets.find((one) => isListed(asked.user, at(one, "values")))
  if (target !== undefined) return indexOf(at(target, "variation"))
  for (const rule of rules)
    if (items(at(rule, "clauses")).every((clause) => matchesClause(asked, clause, [])))
      return served(asked, rule, key)
  return served(asked, at(config, "fallthrough"), key)
}

function served(asked: Asked, node: Node | undefined, key: string): Index {
  const variation = at(node, "variation")
  const rollout = at(node, "rollout")
  if (variation !== undefined) return indexOf(variation)
  const weighted = items(at(rollout, "variations"))
  const isExperiment = textOf(at(rollout, "kind")) === "experiment"
  const point = bucketOf(
    asked,
    isExperiment ? undefined : at(rollout, "bucketBy"),
    at(rollout, "contextKind"),
    scalarText(at(rollout, "seed")) ?? key,
  )
  let sum = 0
  for (const one of weighted) {
    sum += (numberOf(at(one, "weight")) ?? 0) / 100_000
    if (point < sum) return indexOf(at(one, "variation"))
  }
  return indexOf(at(weighted.at(-1), "variation"))
}

/** 0 if there is nothing to hash. */
function bucketOf(asked: Asked, by: Node | undefined, kind: Node | undefined, seed: string): number {
  const value = by === undefined ? asked.user : attributeOf(asked, textOf(by) ?? "", kind)
  if (typeof value === "string" || Number.isSafeInteger(value)) return asked.bucket(seed, String(value))
  return 0
}

function attributeOf(asked: Asked, reference: string, kind: Node | undefined): unknown {
  const isPath = textOf(kind) && reference.startsWith("/")
  const name = isPath ? reference.slice(1).replaceAll("~1", "/").replaceAll("~0", "~") : reference
  return name === "anonymous" ? (asked.attributes(name) ?? false) : asked.attributes(name)
}

function matchesClause(asked: Asked, clause: Node, segmentChain: readonly string[]): boolean {
  const operands = items(at(clause, "values"))
  const isNegated = isTrue(at(clause, "negate"))
  const operator = textOf(at(clause, "op")) ?? ""
  if (operator === "segmentMatch")
    return operands.some((operand) => isInSegment(asked, textOf(operand) ?? "", segmentChain)) !== isNegated
  const value = attributeOf(asked, textOf(at(clause, "attribute")) ?? "", at(clause, "contextKind"))
  if (value === undefined) return false
  const values: readonly unknown[] = Array.isArray(value) ? value : [value]
  return values.some((one) => operands.some((operand) => matches(operator, one, operand.value))) !== isNegated
}

function isInSegment(asked: Asked, key: string, chain: readonly string[]): boolean {
  const segment = asked.scope.segments.get(key)
  if (segment === undefined || chain.includes(key)) return false
  if (isTrue(at(segment, "unbounded"))) {
    if (asked.scope.knownValues.get(key)?.includes(asked.user)) return true
  } else {
    if (isListed(asked.user, at(segment, "included"))) return true
    if (isListed(asked.user, at(segment, "excluded"))) return false
  }
  return items(at(segment, "rules")).some((rule) => {
    if (!items(at(rule, "clauses")).every((clause) => matchesClause(asked, clause, [...chain, key])))
      return false
    const weight = numberOf(at(rule, "weight"))
    if (weight === undefined) return true
    const seed = `${key}.${textOf(at(segment, "salt")) ?? ""}`
    return bucketOf(asked, at(rule, "bucketBy"), at(rule, "rolloutContextKind"), seed) < weight / 100_000
  })
}

function isListed(user: string, list: Node | undefined): boolean {
  return items(list).some((item) => scalarText(item) === user)
}

function indexOf(node: Node | undefined): Index {
  return typeof node?.value === "number" ? node.value : undefined
}

const onTexts = table<(value: string, operand: string) => boolean>({
  startsWith: (value, operand) => value.startsWith(operand),
  endsWith: (value, operand) => value.endsWith(operand),
  contains: (value, operand) => value.includes(operand),
  matches: (value, operand) => expression(operand)?.(value) ?? false,
  semVerEqual: (value, operand) => compareSemver(value, operand, 1) === 0,
  semVerLessThan: (value, operand) => (compareSemver(value, operand, 1) ?? 0) < 0,
  semVerGreaterThan: (value, operand) => (compareSemver(value, operand, 1) ?? 0) > 0,
})
const onNumbers = table<(value: number, operand: number) => boolean>({
  lessThan: (value, operand) => value < operand,
  lessThanOrEqual: (value, operand) => value <= operand,
  greaterThan: (value, operand) => value > operand,
  greaterThanOrEqual: (value, operand) => value >= operand,
})

/** Types are never converted. */
function matches(operator: string, value: unknown, operand: Node["value"]): boolean {
  if (operator === "in") return value === operand
  if (operator === "before") return momentOf(value) < momentOf(operand)
  if (operator === "after") return momentOf(value) > momentOf(operand)
  if (typeof value === "string" && typeof operand === "string")
    return onTexts[operator]?.(value, operand) ?? false
  if (typeof value === "number" && typeof operand === "number")
    return onNumbers[operator]?.(value, operand) ?? false
  return false
}

/** Milliseconds; NaN for anything but a number or RFC 3339. */
function momentOf(value: unknown): number {
  if (typeof value === "number") return value
  return typeof value === "string" &&
    /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/.test(value)
    ? Date.parse(value)
    : Number.NaN
}
