import { type Bucket, type Meaning, toCaller, toValue } from "../form.ts"
import { at, jsonOf, type Node, scalarText, textOf } from "../tree.ts"
import { applyLogic } from "./json-logic.ts"

/** What a flag of flagd gives, as core/pkg/evaluator has it. */
export function flagdMeaning(key: string, flag: Node, evaluators: Node | undefined): Meaning {
  const give = (variant: string | undefined) => {
    const value = variant === undefined ? undefined : at(flag, "variants", variant)
    return value === undefined ? toCaller : toValue(jsonOf(value))
  }
  const usual = scalarText(at(flag, "defaultVariant"))
  return (attributes, bucket) => {
    if (textOf(at(flag, "state")) === "DISABLED") return toCaller
    const targeting = at(flag, "targeting")
    if (targeting === undefined || (targeting.value instanceof Map && targeting.value.size === 0))
      return give(usual)
    const variable = (name: string) => (name === "$flagd.flagKey" ? key : attributes(name))
    const fractional = (operands: readonly unknown[]) =>
      distribute(operands, key, attributes("targetingKey"), bucket)
    const named = (name: string) => at(evaluators, name)
    let result: unknown
    try {
      result = applyLogic(targeting, { variable, named, operations: { fractional } }) ?? null
    } catch (error) {
      if (error instanceof RangeError) return toCaller
      throw error
    }
    return give(result === null ? usual : String(result))
  }
}

/** The first operand is what is hashed, unless it is a list. `\0` is what no text of people has, and divides salt and value. */
function distribute(
  operands: readonly unknown[],
  key: string,
  targetingKey: unknown,
  bucket: Bucket,
): unknown {
  const [first, ...others] = operands
  const isNamed = typeof first === "string"
  const shares = isNamed || first === null ? others : operands
  const id = isNamed ? first : targetingKey
  if (typeof id !== "string" || id === "") return null
  if (!shares.every(Array.isArray)) return null
  const weights = shares.map(([, weight = 1]) => Math.max(0, Number(weight)))
  const total = weights.reduce((sum, weight) => sum + weight, 0)
  const point =
    (isNamed && id.startsWith(key) ? bucket(key, id.slice(key.length)) : bucket(isNamed ? "" : key, id)) *
    total
  let end = 0
  for (const [index, weight] of weights.entries()) {
    end += weight
    if (point < end) return shares[index]?.[0] ?? null
  }
  return null
}
