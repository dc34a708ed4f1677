import type { Json } from "../../../sdk/contract/snapshot.ts"
import { Failure } from "../../failure.ts"
import { readJson } from "../form/read-json.ts"
import { at, isTrue, items, jsonOf, members, type Node, numberOf, scalarText, textOf } from "../form/tree.ts"

/** A rule of GO Feature Flag, in either format. */
export interface GoffRule {
  readonly node: Node
  /** `undefined`: for everyone. */
  readonly query: string | undefined
  /** The query, if it is JsonLogic. */
  readonly logic: Node | undefined
  readonly variation: string | undefined
  /** Percentages by variation, in alphabetical order. */
  readonly shares: readonly (readonly [string, number])[]
  readonly isScheduled: boolean
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
  readonly isScheduled: boolean
}

/** A flag in the current format, or in the one before version 1, which has `true`, `false` and `default`. */
export function goffFlag(node: Node): GoffFlag {
  const common = {
    node,
    isDisabled: isTrue(at(node, "disable")),
    bucketingKey: textOf(at(node, "bucketingKey")) ?? "targetingKey",
    isScheduled: ["scheduledRollout", "experimentation", "rollout"].some((name) => at(node, name)),
  }
  const variations = at(node, "variations")
  if (variations === undefined) return { ...common, ...oldFlag(node), disabled: [] }
  const { on = [], off = [] } = Object.groupBy(items(at(node, "targeting")), (rule) =>
    isTrue(at(rule, "disable")) ? "off" : "on",
  )
  return {
    ...common,
    variations: new Map(members(variations).map(([name, value]) => [name, jsonOf(value)])),
    rules: on.map(ruleOf),
    disabled: off,
    otherwise: ruleOf(at(node, "defaultRule") ?? node),
  }
}

function oldFlag(node: Node): Pick<GoffFlag, "variations" | "rules" | "otherwise"> {
  const percent = numberOf(at(node, "percentage")) ?? 0
  const query = textOf(at(node, "rule"))?.trim() || undefined
  const rule: GoffRule = {
    node,
    query,
    logic: undefined,
    variation: undefined,
    shares: [
      ["False", 100 - percent],
      ["True", percent],
    ],
    isScheduled: false,
  }
  const names = { Default: "default", False: "false", True: "true" }
  const values = Object.entries(names).flatMap(([name, written]) => {
    const found = at(node, written)
    return found === undefined ? [] : [[name, jsonOf(found)] as const]
  })
  return {
    variations: new Map(values),
    rules: query === undefined ? [] : [rule],
    otherwise: query === undefined ? rule : { ...rule, query: undefined, variation: "Default", shares: [] },
  }
}

function ruleOf(node: Node): GoffRule {
  const query = textOf(at(node, "query"))?.trim() || undefined
  const shares = members(at(node, "percentage")).map(([name, one]) => [name, numberOf(one) ?? 0] as const)
  return {
    ...{ node, query, logic: query?.startsWith("{") ? readLogic(query, node) : undefined },
    variation: scalarText(at(node, "variation")),
    shares: shares.toSorted(([a], [b]) => (a < b ? -1 : 1)),
    isScheduled: at(node, "progressiveRollout") !== undefined,
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
