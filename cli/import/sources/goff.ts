import type { Json } from "../../../proxy/contract/snapshot.ts"
import { at, isTrue, items, jsonOf, type Node, numberOf, scalarText, textOf } from "../form/tree.ts"

/** A rule of GO Feature Flag, in whichever format. */
export interface GoffRule {
  readonly node: Node
  /** `undefined`: for everyone. */
  readonly query: string | undefined
  readonly isJsonLogic: boolean
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
  /** The last one, for everyone. */
  readonly otherwise: GoffRule
  readonly bucketingKey: string
  readonly isScheduled: boolean
}

/** A flag of today's format, or of the one before version 1, which has `true`, `false` and `default`. */
export function goffFlag(node: Node): GoffFlag {
  const isOld = at(node, "variations") === undefined
  const common = {
    node,
    isDisabled: isTrue(at(node, "disable")),
    bucketingKey: textOf(at(node, "bucketingKey")) ?? "targetingKey",
    isScheduled:
      at(node, "scheduledRollout") !== undefined ||
      at(node, "experimentation") !== undefined ||
      at(node, "rollout") !== undefined,
  }
  if (!isOld) {
    const variations = at(node, "variations")
    return {
      ...common,
      variations: new Map(
        variations?.value instanceof Map
          ? [...variations.value].map(([name, value]) => [name, jsonOf(value)])
          : [],
      ),
      rules: items(at(node, "targeting"))
        .filter((rule) => !isTrue(at(rule, "disable")))
        .map(ruleOf),
      otherwise: ruleOf(at(node, "defaultRule") ?? node),
    }
  }
  const percent = numberOf(at(node, "percentage")) ?? 0
  const shared = {
    node,
    isJsonLogic: false,
    variation: undefined,
    isScheduled: false,
    shares: [
      ["False", 100 - percent],
      ["True", percent],
    ] as const,
  }
  const query = textOf(at(node, "rule"))?.trim() || undefined
  const value = (name: string) => {
    const found = at(node, name)
    return found === undefined ? null : jsonOf(found)
  }
  return {
    ...common,
    variations: new Map([
      ["Default", value("default")],
      ["False", value("false")],
      ["True", value("true")],
    ]),
    rules: query === undefined ? [] : [{ ...shared, query }],
    otherwise:
      query === undefined
        ? { ...shared, query }
        : { ...shared, query: undefined, variation: "Default", shares: [] },
  }
}

function ruleOf(node: Node): GoffRule {
  const query = textOf(at(node, "query"))?.trim() || undefined
  const percentage = at(node, "percentage")
  const shares =
    percentage?.value instanceof Map
      ? [...percentage.value].map(([name, one]) => [name, numberOf(one) ?? 0] as const)
      : []
  return {
    node,
    query,
    isJsonLogic: query?.startsWith("{") === true,
    variation: scalarText(at(node, "variation")),
    shares: shares.toSorted(([a], [b]) => (a < b ? -1 : 1)),
    isScheduled: at(node, "progressiveRollout") !== undefined,
  }
}
