import type { Condition, Share } from "../language/condition.ts"
import { withSent } from "../language/encode-rules.ts"
import type { Arm, Flag, Rule, RuleItem, Split } from "../language/flag.ts"
import { jsonOf, type MappingNode, memberOf, type Node, writtenText } from "../language/tree.ts"
import { everyone, seedOf, thousandthsOf } from "./share.ts"

/** Reads a rule's `split`, even one with mistakes; `undefined` if the rule has none. `key`: the flag's. */
export function toSplit(rule: MappingNode, key: string): Split | undefined {
  const member = memberOf(rule, "split")
  if (member === undefined) return undefined
  const members = member.value.kind === "mapping" ? member.value : undefined
  const into = members && memberOf(members, "into")?.value
  const items = into?.kind === "sequence" ? into.items : []
  return {
    nameSpan: member.nameSpan,
    by: members && memberOf(members, "by"),
    seed: seedOf(members, key),
    arms: items.flatMap(toArm),
  }
}

function toArm(node: Node): readonly Arm[] {
  if (node.kind !== "mapping") return []
  const share = memberOf(node, "share")
  const thousandths = thousandthsOf(share?.value) || undefined // 0 is invalid too
  return [{ node, share, thousandths, returnValue: memberOf(node, "returnValue")?.value }]
}

/** The rules of a configuration: one for each item without a split, and for each arm up to the first mistake. `key`: the flag's. */
export function rulesOf(items: readonly RuleItem[], key: string): readonly Rule[] {
  const rules: Omit<Rule, "sent">[] = []
  for (const [at, item] of items.entries()) {
    const number = at + 1
    const { node, id, condition, split, returnValue } = item
    if (split !== undefined) for (const arm of armsOf(item, split)) rules.push({ number, ...arm })
    else if (condition !== undefined) {
      const gives = { gives: jsonOf(returnValue), givesNode: returnValue }
      rules.push({ number, item, writtenId: id, condition, ...gives, node })
    }
  }
  return withSent(rules, key)
}

function armsOf(item: RuleItem, split: Split): readonly Omit<Rule, "sent" | "number">[] {
  return sharesOf(split).map(({ arm, share }, at) => {
    const { node, returnValue } = arm
    const condition: Condition =
      item.condition === undefined ? share : { kind: "all", parts: [item.condition, share], at: share.at }
    const writtenId = item.id && { text: `${item.id.text}-${at + 1}`, span: item.id.span }
    const gives = { gives: jsonOf(returnValue), givesNode: returnValue }
    return { arm: at + 1, item, writtenId, condition, ...gives, node }
  })
}

/** The values that a flag's rules give, even in an arm whose users are not known. */
export function returnValuesIn({ configurations }: Pick<Flag, "configurations">): readonly Node[] {
  return [...configurations.values()].flatMap(({ items }) =>
    items.flatMap((item) => (item.split?.arms ?? [item]).flatMap(({ returnValue }) => returnValue ?? [])),
  )
}

/** The users of each arm, which follow one another from 0 on, up to the first mistake. */
export function sharesOf({ by, seed, arms }: Split): readonly {
  readonly arm: Arm
  readonly share: Share & Required<Pick<Share, "at">>
}[] {
  if (by === undefined) return []
  const attribute = writtenText(by.value)
  const shares = []
  let sum = 0
  for (const arm of arms) {
    const { node, share, thousandths } = arm
    if (share === undefined || thousandths === undefined || sum + thousandths > everyone) break
    const from = seed === undefined ? 0 : sum / 1_000 // without a seed, each takes the users that earlier ones left
    sum += thousandths
    const at = { node, name: share.nameSpan, attribute: attribute?.span, value: share.value }
    shares.push({
      arm,
      share: { kind: "share", by: attribute?.text ?? "", from, to: sum / 1_000, seed, at } as const,
    })
  }
  return shares
}
