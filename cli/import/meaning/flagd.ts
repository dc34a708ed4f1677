import { type Bucket, type Meaning, toCaller, toValue } from "../form/form.ts"
import { operationOf, variableOf } from "../form/json-logic.ts"
import { at, jsonOf, membersOf, type Node, scalarText, textOf } from "../form/tree.ts"
import { applyLogic } from "./json-logic.ts"

/** The seed for an attribute that is hashed alone, so that every flag has the same users in a share. */
export const noSeed = "flagd"

/** Evaluates a flag as flagd's core/pkg/evaluator does. */
export function flagdMeaning(key: string, flag: Node, evaluators: Node | undefined): Meaning {
  const give = (variant: string | undefined) => {
    const value = variant === undefined ? undefined : at(flag, "variants", variant)
    return value === undefined ? toCaller : toValue(jsonOf(value))
  }
  const usual = scalarText(at(flag, "defaultVariant"))
  return (attributes, bucket, isOn = textOf(at(flag, "state")) !== "DISABLED") => {
    if (!isOn) return toCaller
    const targeting = at(flag, "targeting")
    if (targeting === undefined || membersOf(targeting)?.length === 0) return give(usual)
    const variable = (name: string) => (name === "$flagd.flagKey" ? key : attributes(name))
    const fractional: Fractional = (operands, [first]) =>
      distribute(operands, saltOf(first, key), key, attributes("targetingKey"), bucket)
    const operation = (name: string) => (name === "fractional" ? fractional : undefined)
    const named = (name: string) => at(evaluators, name)
    let result: unknown
    try {
      result = applyLogic(targeting, { variable, named, operation }) ?? null
    } catch (error) {
      if (error instanceof RangeError) return toCaller
      throw error
    }
    return give(result === null ? usual : String(result))
  }
}

type Fractional = (operands: readonly unknown[], written: readonly Node[]) => unknown

/** The strings that `cat` puts before an attribute: they change which users are in a share. */
export function saltOf(first: Node | undefined, key: string): string {
  const parts = first === undefined ? undefined : operationOf(first)
  if (parts?.[0] !== "cat") return ""
  return parts[1].map((part) => textOf(part) ?? (variableOf(part) === "$flagd.flagKey" ? key : "")).join("")
}

/** Hashes the first operand, unless it is a list or null. */
function distribute(
  operands: readonly unknown[],
  salt: string,
  key: string,
  targetingKey: unknown,
  bucket: Bucket,
): unknown {
  const [first, ...others] = operands
  const isNamed = typeof first === "string"
  const shares = isNamed || first === null ? others : operands
  const id = isNamed ? first.slice(salt.length) : targetingKey
  if (typeof id !== "string" || id === "" || !shares.every(Array.isArray)) return null
  const weights = shares.map(([, weight = 1]) => Math.max(0, Number(weight)))
  const total = weights.reduce((sum, weight) => sum + weight, 0)
  const point = bucket(isNamed ? salt || noSeed : key, id) * total
  let end = 0
  for (const [index, weight] of weights.entries()) {
    end += weight
    if (point < end) return shares[index]?.[0] ?? null
  }
  return null
}
