import type { Condition as Encoded } from "../../sdk/evaluation/condition.ts"
import { isInShare, shareOperator } from "./comparisons.ts"
import { type Comparison, type Condition, type Group, operandText, type Share } from "./condition.ts"
import { nameOnWire } from "./operators.ts"
import { isResolved } from "./references.ts"

/**
 * In characters. JSON in JSON doubles every quote and backslash at each level, so 8 levels could turn a file of a megabyte
 * into gigabytes, as could a segment that is used often.
 */
export const longestGroups = 4_194_304

/**
 * Returns a condition in its wire format (docs/evaluation.md, 11.1): a group is an operator without an attribute, whose
 * value is a JSON array of its conditions; a segment or another flag is what it means. `undefined` if one of these means
 * nothing, or if the condition exceeds `longestGroups` together with those encoded before it.
 */
export type Encode = (condition: Condition) => Encoded | undefined

/** Returns the encoding of one file's conditions. `key`: the flag's; `undefined` for a segment. */
export function createEncode(key: string | undefined): Encode {
  let left = longestGroups
  return (condition) => {
    if (condition.kind === "comparison" || condition.kind === "share") return encodeLeaf(condition, key)
    if (!isResolved(condition)) return undefined
    const encoded = encodeWithin(condition, left, key)
    left -= encoded?.value.length ?? left // if it was too long, nothing is left
    return encoded
  }
}

/** Whether two conditions are the same when they are sent, in any flag. Neither exists without the other. */
export function sameMeaning(a: Condition | undefined, b: Condition | undefined): boolean {
  if (a === b) return true
  const [one, other] = [a, b].map((condition) => condition && createEncode(undefined)(condition))
  if (one === undefined || other === undefined) return false
  return one.attribute === other.attribute && one.operator === other.operator && one.value === other.value
}

/** `undefined` if the value would have more than `longest` characters. */
function encodeWithin(condition: Condition, longest: number, key: string | undefined): Encoded | undefined {
  switch (condition.kind) {
    case "comparison":
    case "share":
      return bounded(encodeLeaf(condition, key), longest)
    case "segment":
    case "flag":
      return condition.means && encodeWithin(condition.means, longest, key)
    default:
      return encodeGroup(condition, longest, key)
  }
}

function encodeGroup({ kind, parts }: Group, longest: number, key: string | undefined): Encoded | undefined {
  const encoded: Encoded[] = []
  let length = 0
  for (const part of parts) {
    const sent = encodeWithin(part, longest - length, key)
    if (sent === undefined) return undefined
    length += sent.value.length
    encoded.push(sent)
  }
  return bounded({ attribute: "", operator: kind, value: JSON.stringify(encoded) }, longest)
}

/** A comparison or a share in its wire format. `key`: the flag's. */
export function encodeLeaf(condition: Comparison | Share, key: string | undefined): Encoded {
  if (condition.kind === "share") return encodeShare(condition, key)
  const { attribute, operator, ignoreCase } = condition
  return { attribute, operator: nameOnWire(operator, ignoreCase), value: operandText(condition) }
}

function encodeShare({ by, from, to, seed, text }: Share, key = ""): Encoded {
  if (from === 0 && seed === undefined)
    return { attribute: by, operator: shareOperator, value: text ?? String(to) }
  return isInShare(by, { seed: seed ?? key, from, to })
}

function bounded(encoded: Encoded, longest: number): Encoded | undefined {
  return encoded.value.length > longest ? undefined : encoded
}
