import { type Meaning, toCaller, toValue } from "../form/form.ts"
import { operationOf, variableOf } from "../form/json-logic.ts"
import { at, jsonOf, membersOf, type Node, scalarText, textOf } from "../form/tree.ts"
import { murmur3 } from "./hashes.ts"
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
    let isUnknown = false
    /** Hashes the first operand, unless it is a list or null. */
    const fractional: Fractional = (operands, [written]) => {
      const [first, ...others] = operands
      const shares = typeof first === "string" || first === null ? others : operands
      const salt = saltOf(written, key)
      const joined = joinedIn(written)
      if (typeof first !== "string" || joined === undefined) {
        const id = typeof first === "string" ? first.slice(salt.length) : attributes("targetingKey")
        if (typeof id !== "string" || id === "") return null
        return shareAt(shares, bucket(typeof first === "string" ? salt || noSeed : key, id))
      }
      const id = attributes(joined) ?? ""
      // How a list or an object is written there is not known. Without an id, everyone has the salt's own place.
      isUnknown ||= typeof id === "object"
      return shareAt(shares, id === "" ? murmur3(salt) / 2 ** 32 : bucket(salt || noSeed, String(id)))
    }
    const operation = (name: string) => (name === "fractional" ? fractional : undefined)
    const named = (name: string) => at(evaluators, name)
    let result: unknown
    try {
      result = applyLogic(targeting, { variable, named, operation }) ?? null
    } catch (error) {
      if (error instanceof RangeError) return toCaller
      throw error
    }
    return isUnknown ? undefined : give(result === null ? usual : String(result))
  }
}

type Fractional = (operands: readonly unknown[], written: readonly Node[]) => unknown

/** The strings that `cat` puts before an attribute: they change which users are in a share. */
export function saltOf(first: Node | undefined, key: string): string {
  const parts = first === undefined ? undefined : operationOf(first)
  if (parts?.[0] !== "cat") return ""
  return parts[1].map((part) => textOf(part) ?? (variableOf(part) === "$flagd.flagKey" ? key : "")).join("")
}

/** The attribute that `cat` joins with other texts; `undefined` if nothing is joined. */
function joinedIn(first: Node | undefined): string | undefined {
  const [operator, parts = []] = (first && operationOf(first)) ?? []
  const names = operator === "cat" ? parts.flatMap((part) => variableOf(part) ?? []) : []
  return names.find((name) => name !== "$flagd.flagKey")
}

/** The share of a point among all users, from 0 to below 1. */
function shareAt(shares: readonly unknown[], point: number): unknown {
  if (!shares.every(Array.isArray)) return null
  const weights = shares.map(([, weight = 1]) => Math.max(0, Number(weight)))
  const total = weights.reduce((sum, weight) => sum + weight, 0)
  let end = 0
  for (const [index, weight] of weights.entries()) {
    end += weight
    if (point * total < end) return shares[index]?.[0] ?? null
  }
  return null
}
