import { shareOperator } from "../../language/comparisons.ts"
import { conditionMembers } from "../grammar/schema.ts"
import { type MappingNode, memberOf } from "../yaml/tree.ts"
import { toCondition } from "./condition.ts"
import type { DefinedComparison, DefinedCondition, DefinedRule, DefinedSplit } from "./definition.ts"
import { writtenText } from "./definition.ts"
import type { Place } from "./place.ts"
import { everyone, seedOf, thousandthsOf } from "./share.ts"
import { textNode } from "./text-node.ts"

/** Reads a rule's `split`, even one with mistakes; `undefined` if the rule has none. */
export function toSplit(rule: MappingNode, place: Place): DefinedSplit | undefined {
  const member = memberOf(rule, "split")
  if (member === undefined) return undefined
  const members = member.value.kind === "mapping" ? member.value : undefined
  const into = members && memberOf(members, "into")?.value
  const items = into?.kind === "sequence" ? into.items : []
  return {
    node: rule,
    nameSpan: member.nameSpan,
    whom: conditionMembers.some((name) => memberOf(rule, name) !== undefined)
      ? toCondition(rule, place)
      : undefined,
    by: members && memberOf(members, "by"),
    seed: seedOf(members, place.key),
    shares: items.flatMap((node) => {
      if (node.kind !== "mapping") return []
      const share = memberOf(node, "share")
      return [{ node, share, thousandths: thousandthsOf(share?.value) || undefined }] // 0 is invalid too
    }),
  }
}

/**
 * The rules that a split stands for: one per share, in order, up to the first mistake. Each has a `percentage` up to the
 * end of its share or, with a seed, the share itself. Each has its share's location.
 */
export function rulesOfSplit(split: DefinedSplit): readonly DefinedRule[] {
  const { node, nameSpan, whom, by, seed, shares } = split
  const id = writtenText(memberOf(node, "id")?.value)
  const rules: DefinedRule[] = []
  let sum = 0
  for (const [at, { node: item, share, thousandths }] of shares.entries()) {
    if (by === undefined || share === undefined || thousandths === undefined) break
    const from = sum / 1_000
    sum += thousandths
    if (sum > everyone) break
    const operator = textNode(shareOperator, nameSpan)
    const value = textNode(`${sum / 1_000}`, share.value)
    const { start, end } = item
    const comparison: DefinedComparison = {
      kind: "comparison",
      node: {
        kind: "mapping",
        start,
        end,
        members: [
          { name: "attribute", nameSpan: by.nameSpan, value: by.value },
          { name: "operator", nameSpan, value: operator },
          { name: "value", nameSpan: share.nameSpan, value },
        ],
      },
      attribute: writtenText(by.value),
      operator: { text: operator.value, span: share.nameSpan },
      value,
      ofSplit: true,
      ...(seed !== undefined && { share: { nameSpan, from, seed } }),
    }
    const condition: DefinedCondition =
      whom === undefined
        ? comparison
        : { kind: "all", node: item, nameSpan: share.nameSpan, conditions: [whom, comparison], ofSplit: true }
    rules.push({
      node: item,
      id: id && { text: `${id.text}-${at + 1}`, span: id.span },
      condition,
      returnValue: memberOf(item, "returnValue")?.value,
      split,
    })
  }
  return rules
}
