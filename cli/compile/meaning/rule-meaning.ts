import type { Json, Rule } from "../../../proxy/contract/snapshot.ts"
import type { DefinedRule } from "../definition/definition.ts"
import { type Node, toValue } from "../yaml/tree.ts"
import { canonicalJson } from "./canonical-json.ts"
import { asksFlag, openCondition } from "./open-condition.ts"
import { isReadableOnWire, type ToWire } from "./wire-condition.ts"

/**
 * Canonical JSON that is equal for two rules that do the same, apart from their ids. `undefined` for a group that is too
 * long, or uses a segment that has mistakes.
 */
export function ruleMeaning({ condition, returnValue }: DefinedRule, toWire: ToWire): string | undefined {
  const open = openCondition(condition)
  // Two flags may give the same values in one environment, but are still two conditions.
  if (asksFlag(open)) return JSON.stringify([open, jsonOf(returnValue)])
  const { attribute, operator, value } = toWire(open)
  if (condition.kind === "comparison" && condition.share !== undefined && condition.value === undefined)
    return undefined // a share with mistakes
  const isWhole = condition.kind === "comparison" || isReadableOnWire({ attribute, operator, value })
  return isWhole ? meaningText({ attribute, operator, value, returnValue: jsonOf(returnValue) }) : undefined
}

/** The same for a rule in its wire format. */
export function meaningText({ attribute, operator, returnValue, value }: Omit<Rule, "id">): string {
  if (typeof returnValue === "object") return canonicalJson({ attribute, operator, returnValue, value })
  return JSON.stringify({ attribute, operator, returnValue, value }) // the same text, many times faster
}

/** A value as JSON; `null` if the author wrote none. */
export function jsonOf(node: Node | undefined): Json {
  return node === undefined ? null : toValue(node)
}
