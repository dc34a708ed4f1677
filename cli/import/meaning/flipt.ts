import { type Bucket, type Meaning, toCaller, toValue } from "../form/form.ts"
import { inOrder } from "../form/in-order.ts"
import { table } from "../form/table.ts"
import { at, isTrue, items, type Node, scalarText } from "../form/tree.ts"
import {
  constraintsOf,
  defaultVariant,
  distributionsOf,
  type FliptConstraint,
  type FliptFlag,
  momentIn,
  numberIn,
  segmentsOf,
  variantValue,
} from "../sources/flipt.ts"

type Texts = (name: string) => string

/** Evaluates a flag as Flipt's internal/server/evaluation does. Attributes are strings; a missing one is empty. */
export function fliptMeaning(flag: FliptFlag): Meaning {
  return (attributes, bucket, isEnabled = isTrue(at(flag.node, "enabled"))) => {
    const text: Texts = (name) => String(attributes(name) ?? "")
    const entity = text("entityId")
    if (entity === "") return undefined
    return flag.isBoolean
      ? toValue(isOn(flag, text, entity, bucket))
      : toOutcome(flag, isEnabled ? variantOf(flag, text, entity, bucket) : defaultVariant(flag.node))
  }
}

function toOutcome(flag: FliptFlag, variant: string | undefined) {
  const value = variant === undefined ? undefined : variantValue(flag, variant)
  return value === undefined ? toCaller : toValue(value)
}

function isOn({ node, segments, key }: FliptFlag, text: Texts, entity: string, bucket: Bucket): boolean {
  for (const rollout of items(at(node, "rollouts"))) {
    const threshold = at(rollout, "threshold")
    if (threshold !== undefined) {
      const percent = Number(scalarText(at(threshold, "percentage")) ?? 0)
      if (Math.floor(bucket(key, entity) * 100) < percent) return isTrue(at(threshold, "value"))
    } else if (isIn(rollout, segments, text)) return isTrue(at(rollout, "segment", "value"))
  }
  return isTrue(at(node, "enabled"))
}

function variantOf(
  { node, segments, key }: FliptFlag,
  text: Texts,
  entity: string,
  bucket: Bucket,
): string | undefined {
  const usual = defaultVariant(node)
  const rule = items(at(node, "rules")).find((one) => isIn(one, segments, text))
  if (rule === undefined) return usual
  const shares = distributionsOf(rule)
  if (shares.length === 0) return usual
  const total = shares.reduce((sum, { rollout }) => sum + rollout, 0)
  const point = Math.floor(bucket(key, entity) * 1000)
  let done = 0
  for (const { variant, rollout } of shares) {
    done += (rollout / total) * 100
    if (point < Math.floor(done * 10 + 1e-6)) return variant
  }
  return shares.at(-1)?.variant
}

function isIn(rule: Node, segments: FliptFlag["segments"], text: Texts): boolean {
  const { keys, isAll } = segmentsOf(rule)
  const matches = keys.map((key) => matchesSegment(segments.get(key), text))
  return isAll ? matches.every(Boolean) : matches.some(Boolean)
}

function matchesSegment(segment: Node | undefined, text: Texts): boolean {
  const { constraints, isAny } = constraintsOf(segment)
  if (segment === undefined || constraints.length === 0) return segment !== undefined
  return constraints[isAny ? "some" : "every"]((one) => isMet(one, text(one.attribute)))
}

function isMet({ type, operator, operand }: FliptConstraint, value: string): boolean {
  if (operator === "empty" || operator === "notpresent") return value.trim() === ""
  if (operator === "notempty" || operator === "present") return value.trim() !== ""
  if (value === "") return false
  if (operator === "isoneof" || operator === "isnotoneof") {
    const isNumber = type === "number"
    if (isNumber && !Number.isFinite(numberIn(value))) return false
    const isListed = JSON.parse(operand).includes(isNumber ? numberIn(value) : value)
    return isListed === (operator === "isoneof")
  }
  if (type === "number") return inOrder(operator, numberIn(value) - numberIn(operand))
  if (type === "moment") return inOrder(operator, momentIn(value) - momentIn(operand))
  if (type === "boolean")
    return /^(?:1|t|true|T|TRUE|True)$/.test(value)
      ? operator === "true"
      : /^(?:0|f|false|F|FALSE|False)$/.test(value) && operator === "false"
  return onTexts[operator]?.(value, operand) ?? false
}

const onTexts = table<(value: string, operand: string) => boolean>({
  eq: (value, operand) => value === operand,
  neq: (value, operand) => value !== operand,
  prefix: (value, operand) => value.trim().startsWith(operand),
  suffix: (value, operand) => value.trim().endsWith(operand),
  contains: (value, operand) => value.includes(operand),
  notcontains: (value, operand) => !value.includes(operand),
})
