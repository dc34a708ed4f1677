import type { Condition, Share } from "../language/condition.ts"
import { type MappingNode, memberOf, type Node } from "../language/tree.ts"
import type { Arm, DefinedConfiguration, DefinedRule, Split, Text } from "./definition.ts"
import { writtenText } from "./definition.ts"
import { everyone, seedOf, thousandthsOf } from "./share.ts"

/** Reads a rule's `split`, even one with mistakes; `undefined` if the rule has none. `key`: the flag's. */
export function toSplit(rule: MappingNode, key: string): Split | undefined {
  const member = memberOf(rule, "split")
  if (member === undefined) return undefined
  const members = member.value.kind === "mapping" ? member.value : undefined
  const into = members && memberOf(members, "into")?.value
  const items = into?.kind === "sequence" ? into.items : []
  return {
    kind: "split",
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

/** The split of a rule that has one. */
export function splitOf({ gives }: DefinedRule): Split | undefined {
  return gives?.kind === "split" ? gives : undefined
}

/** A rule as SDKs get it: the author's, or what one arm of its split stands for, at the arm's place. */
export interface SentRule {
  readonly node: MappingNode
  readonly id: Text | undefined
  readonly condition: Condition
  readonly returnValue: Node | undefined
  /** The rule in the file. */
  readonly rule: DefinedRule
  /** Its split; absent if it has none. */
  readonly split?: Split
}

/** The rules that SDKs get, in their order: one for each rule without a split, and for each arm up to the first mistake. */
export function sentRules({ rules }: Pick<DefinedConfiguration, "rules">): readonly SentRule[] {
  const sent: SentRule[] = []
  for (const rule of rules) {
    const { node, id, condition, gives } = rule
    if (gives?.kind === "split") sent.push(...rulesOfArms(rule, gives))
    else if (condition !== undefined) sent.push({ node, id, condition, returnValue: gives, rule })
  }
  return sent
}

function rulesOfArms(rule: DefinedRule, split: Split): readonly SentRule[] {
  return sharesOf(split).map(({ arm, share }, at) => {
    const { node, returnValue } = arm
    const condition: Condition =
      rule.condition === undefined ? share : { kind: "all", parts: [rule.condition, share], at: share.at }
    const id = rule.id && { text: `${rule.id.text}-${at + 1}`, span: rule.id.span }
    return { node, id, condition, returnValue, rule, split }
  })
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
