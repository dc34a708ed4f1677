import type { Json, Rule } from "../../sdk/contract/snapshot.ts"
import { canonicalJson } from "../language/canonical-json.ts"
import type { Encode } from "../language/encode.ts"
import { referencesIn, written } from "../language/references.ts"
import { type Node, toValue } from "../language/tree.ts"
import type { SentRule } from "../reading/split.ts"

/**
 * Canonical JSON that is equal for two rules that do the same, apart from their ids. `undefined` for a share with mistakes,
 * and for a group that is too long, or uses a segment that has mistakes.
 */
export function ruleMeaning({ condition, returnValue }: SentRule, encode: Encode): string | undefined {
  // Two flags may give the same values in one environment, but are still two conditions.
  if (referencesIn(condition).some(({ kind }) => kind === "flag"))
    return JSON.stringify([written(condition), jsonOf(returnValue)])
  if (condition.kind === "share" && condition.text === undefined && Number.isNaN(condition.to))
    return undefined
  const encoded = encode(condition)
  return encoded && meaningText({ ...encoded, returnValue: jsonOf(returnValue) })
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
