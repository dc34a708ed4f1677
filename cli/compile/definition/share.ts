import { shareOperator } from "../../language/comparisons.ts"
import { type MappingNode, type Member, memberOf, type Node } from "../yaml/tree.ts"
import type { DefinedComparison } from "./definition.ts"
import { writtenText } from "./definition.ts"
import { textNode } from "./text-node.ts"

/** 100 % in thousandths of a percent. */
export const everyone = 100_000

/**
 * A percentage in thousandths, which are whole numbers and add up exactly; `undefined` unless it is a number from 0 to
 * 100 with at most three decimals. The division gives the double that the decimal text gives, so the comparison is exact.
 */
export function thousandthsOf(node: Node | undefined): number | undefined {
  if (node?.kind !== "scalar" || typeof node.value !== "number") return undefined
  const thousandths = Math.round(node.value * 1_000)
  const isExact = thousandths / 1_000 === node.value
  return isExact && thousandths >= 0 && thousandths <= everyone ? thousandths : undefined
}

/** The seed of a share or a split; `undefined` for the key of the flag, even if it is written out. */
export function seedOf(members: MappingNode | undefined, key: string | undefined): string | undefined {
  const seed = members && writtenText(memberOf(members, "seed")?.value)?.text
  return seed === key ? undefined : seed
}

const shareMembers = ["by", "to", "from", "seed"]

/** The comparison that `share:` stands for, even with mistakes. A segment has no `key`. */
export function toShare(
  node: MappingNode,
  { nameSpan, value }: Member,
  key: string | undefined,
): DefinedComparison {
  const members = value.kind === "mapping" ? value : undefined
  const to = members && memberOf(members, "to")
  const isWhole = members?.members.every(({ name }) => shareMembers.includes(name))
  const from = members && memberOf(members, "from")
  const [first = 0, last] = [thousandthsOf(from?.value), thousandthsOf(to?.value)]
  const seed = seedOf(members, key) ?? (first > 0 ? key : undefined)
  return {
    kind: "comparison",
    node,
    attribute: members && writtenText(memberOf(members, "by")?.value),
    operator: { text: shareOperator, span: nameSpan },
    value:
      last === undefined || to === undefined || !isWhole ? undefined : textNode(`${last / 1_000}`, to.value),
    share: { nameSpan, from: first / 1_000, seed, ends: { from: from?.value, to: to?.value } },
  }
}
