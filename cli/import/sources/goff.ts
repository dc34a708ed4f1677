import type { Json } from "../../../sdk/contract/snapshot.ts"
import { Failure } from "../../failure.ts"
import { readJson } from "../form/read-json.ts"
import { at, isTrue, items, jsonOf, members, type Node, placeOf, scalarText, textOf } from "../form/tree.ts"
import { type GoffStage, nameOf, type Shares, sharesIn, stagesOf, stepsOf } from "./goff-steps.ts"

/** A rule of GO Feature Flag. */
export interface GoffRule {
  readonly node: Node
  /** `undefined`: for everyone. */
  readonly query: string | undefined
  /** The query, if it is JsonLogic. */
  readonly logic: Node | undefined
  readonly variation: string | undefined
  /** In alphabetical order; where steps change them, the one that grows most is the first. */
  readonly shares: Shares
  /** What scheduled steps make of the percentages, in the order of their moments. */
  readonly stages: readonly GoffStage[]
  readonly isProgressive: boolean
}

export interface GoffFlag {
  readonly node: Node
  readonly isDisabled: boolean
  readonly variations: ReadonlyMap<string, Json>
  readonly rules: readonly GoffRule[]
  /** Rules that are switched off. */
  readonly disabled: readonly Node[]
  /** The last one, for everyone. */
  readonly otherwise: GoffRule
  readonly bucketingKey: string
  /** Whether the time changes more than percentages. */
  readonly schedule: string | undefined
}

/** Whether a flag is in the format of before version 1, which has `true`, `false` and `default`. */
export function isOld(flag: Node): boolean {
  return (
    at(flag, "variations") === undefined && at(flag, "true") !== undefined && at(flag, "false") !== undefined
  )
}

/** A flag in the format of version 1. Throws `Failure` for an older one. */
export function goffFlag(node: Node): GoffFlag {
  if (isOld(node)) {
    const { file, line } = placeOf(node)
    throw new Failure(
      `${file}:${line}: the flag ${node.name} is in the format of before version 1 of GO Feature Flag, which is not read: write it with \`variations\` and \`defaultRule\``,
    )
  }
  const { on = [], off = [] } = Object.groupBy(items(at(node, "targeting")), (rule) =>
    isTrue(at(rule, "disable")) ? "off" : "on",
  )
  const steps = stepsOf(node, on.map(nameOf))
  const changeIn = (step: Node, name: string | undefined) =>
    items(at(step, "targeting")).findLast((one) => name !== undefined && nameOf(one) === name)
  return {
    node,
    isDisabled: isTrue(at(node, "disable")),
    bucketingKey: textOf(at(node, "bucketingKey")) ?? "targetingKey",
    schedule:
      at(node, "experimentation") !== undefined
        ? "the times of an experiment"
        : steps === undefined || at(node, "rollout") !== undefined
          ? "scheduled steps"
          : undefined,
    variations: new Map(members(at(node, "variations")).map(([name, value]) => [name, jsonOf(value)])),
    rules: on.map((rule) => ruleOf(rule, steps, (step) => changeIn(step, nameOf(rule)))),
    disabled: off,
    otherwise: ruleOf(at(node, "defaultRule") ?? node, steps, (step) => at(step, "defaultRule")),
  }
}

function ruleOf(
  node: Node,
  steps: readonly Node[] = [],
  changeIn: (step: Node) => Node | undefined,
): GoffRule {
  const query = textOf(at(node, "query"))?.trim() || undefined
  const variation = scalarText(at(node, "variation"))
  const percentages = sharesIn(node)
  const stages = stagesOf(percentages, steps, changeIn)
  const isOne = stages.length > 0 && percentages.length === 0 && variation !== undefined
  const shares: Shares = isOne ? [[variation, 100]] : percentages
  const growth = new Map(shares.map(([name, share]) => [name, -share]))
  for (const [name, share] of stages.at(-1)?.shares ?? []) growth.set(name, (growth.get(name) ?? 0) + share)
  const inOrder = (some: Shares): Shares =>
    some.toSorted(([a], [b]) =>
      stages.length > 0 && growth.get(a) !== growth.get(b)
        ? (growth.get(b) ?? 0) - (growth.get(a) ?? 0)
        : a < b
          ? -1
          : 1,
    )
  return {
    ...{ node, query, logic: query?.startsWith("{") ? readLogic(query, node) : undefined, variation },
    shares: inOrder(shares),
    stages: stages.map((stage) => ({ ...stage, shares: inOrder(stage.shares) })),
    isProgressive: at(node, "progressiveRollout") !== undefined,
  }
}

function readLogic(text: string, { file }: Node): Node | undefined {
  try {
    return readJson({ ...file, text })
  } catch (error) {
    if (error instanceof Failure) return undefined // reported later as an invalid query
    throw error
  }
}
