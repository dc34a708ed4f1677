import type { Condition, Group, Ramp } from "../language/condition.ts"
import { operatorThatAsks } from "../language/operators.ts"
import { type MappingNode, type Member, memberOf, type Node, writtenText } from "../language/tree.ts"
import { seedOf, thousandthsOf } from "./share.ts"

/** What a ramp depends on besides its own text. */
export interface RampPlace {
  /** The attribute of the time; `undefined`: the project names none. */
  readonly clock: string | undefined
  /** The flag's; `undefined` in a segment and in an invariant. */
  readonly key: string | undefined
}

/** Reads `ramp:`, even with mistakes. Without a clock no stage begins. */
export function toRamp(node: MappingNode, { nameSpan, value }: Member, { clock, key }: RampPlace): Group {
  const members = value.kind === "mapping" ? value : undefined
  const by = members && writtenText(memberOf(members, "by")?.value)
  const begin = thousandthsOf(members && memberOf(members, "from")?.value) ?? 0
  const users = { by: by?.text ?? "", from: begin / 1_000, seed: seedOf(members, key) }
  const stages: Ramp["stages"][number][] = []
  const parts: Condition[] = []
  for (const { node: stage, moment, share } of stagesOf(value)) {
    const [at, width] = [writtenText(moment)?.text ?? "", thousandthsOf(share) ?? 0]
    stages.push({ at, share: width / 1_000 })
    const place = { node: stage, name: nameSpan }
    const hasBegun: Condition = {
      ...{ kind: "comparison", attribute: clock ?? "", operator: atOrAfter, operand: at },
      at: { ...place, value: moment },
    }
    const isIn: Condition = {
      ...{ kind: "share", ...users, to: (begin + width) / 1_000 },
      at: { node, name: nameSpan, attribute: by?.span },
    }
    if (clock !== undefined) parts.push({ kind: "all", parts: [hasBegun, isIn], at: place })
  }
  return { kind: "any", parts, ramp: { ...users, stages }, at: { node, name: nameSpan, value } }
}

const atOrAfter = operatorThatAsks({ kind: "bound", order: "moment", isUpper: false, isInclusive: true })

/** Where `ramp:` has its stages. */
export function stagesOf(ramp: Node | undefined) {
  const stages = ramp?.kind === "mapping" ? memberOf(ramp, "stages")?.value : undefined
  return (stages?.kind === "sequence" ? stages.items : []).flatMap((node) =>
    node.kind === "mapping"
      ? { node, moment: memberOf(node, "at")?.value, share: memberOf(node, "share")?.value }
      : [],
  )
}
