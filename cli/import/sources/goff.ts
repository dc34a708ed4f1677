import type { Json } from "../../../sdk/contract/snapshot.ts"
import { Failure } from "../../failure.ts"
import { readJson } from "../form/read-json.ts"
import {
  at,
  isTrue,
  items,
  jsonOf,
  members,
  type Node,
  numberOf,
  placeOf,
  scalarText,
  textOf,
} from "../form/tree.ts"

/** A rule of GO Feature Flag. */
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
  return {
    node,
    isDisabled: isTrue(at(node, "disable")),
    bucketingKey: textOf(at(node, "bucketingKey")) ?? "targetingKey",
    isScheduled: ["scheduledRollout", "experimentation", "rollout"].some((name) => at(node, name)),
    variations: new Map(members(at(node, "variations")).map(([name, value]) => [name, jsonOf(value)])),
    rules: on.map(ruleOf),
    disabled: off,
    otherwise: ruleOf(at(node, "defaultRule") ?? node),
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
