import type { Share } from "../language/condition.ts"
import { type MappingNode, type Member, memberOf, type Node, writtenText } from "../language/tree.ts"

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

export function isNumber(node: Node | undefined): boolean {
  return node?.kind === "scalar" && typeof node.value === "number"
}

/** The seed of a share or a split; `undefined` for the key of the flag, even if it is written out. */
export function seedOf(members: MappingNode | undefined, key: string | undefined): string | undefined {
  const seed = members && writtenText(memberOf(members, "seed")?.value)?.text
  return seed === key ? undefined : seed
}

/** Whether a share lacks the seed that it must have in a segment. If it begins at 0, each flag may hash its key. */
export function lacksSeed({ from, seed }: Share): boolean {
  return from > 0 && seed === undefined
}

const shareMembers = ["by", "to", "from", "seed"]

/** Reads `share:`, even with mistakes: `to` is then `NaN`. A segment has no `key`. */
export function toShare(node: MappingNode, { nameSpan, value }: Member, key: string | undefined): Share {
  const members = value.kind === "mapping" ? value : undefined
  const by = members && writtenText(memberOf(members, "by")?.value)
  const { from, to } = endsOf(value)
  const isWhole = members?.members.every(({ name }) => shareMembers.includes(name))
  const [first, last] = [from === undefined ? 0 : thousandthsOf(from), thousandthsOf(to)]
  return {
    kind: "share",
    by: by?.text ?? "",
    from: (first ?? 0) / 1_000,
    to: first === undefined || last === undefined || !isWhole ? Number.NaN : last / 1_000,
    seed: seedOf(members, key),
    at: { node, name: nameSpan, attribute: by?.span, value },
  }
}

/** Where an author wrote the end of a share: after `to`, after the operator `percentage`, or in an arm of a split. */
export function endOf({ at }: Share): Node | undefined {
  return at?.value?.kind === "mapping" ? endsOf(at.value).to : at?.value
}

/** Where `share:` has its two ends. */
export function endsOf(value: Node | undefined): {
  readonly from: Node | undefined
  readonly to: Node | undefined
} {
  const nodeOf = (name: string) => (value?.kind === "mapping" ? memberOf(value, name)?.value : undefined)
  return { from: nodeOf("from"), to: nodeOf("to") }
}
