import { quoted } from "../diagnostics/suggest.ts"
import { sameValue } from "../language/canonical-json.ts"
import { type Condition, fold, isRamp, visit } from "../language/condition.ts"
import { jsonOf } from "../language/tree.ts"
import { spanOfForm } from "../reading/condition.ts"
import { type ConditionCheck, conditionsIn, type WithConditions } from "../reading/conditions-in-file.ts"

/**
 * A ramp in `none`, or behind another flag's other value, takes from ever more users, and gives to those whose time is unknown.
 * An invariant gives nothing, and a rule that gives the default takes nothing.
 */
export const rampsGive: ConditionCheck = (file, _project, report) => {
  const giving = new Set(givingConditions(file))
  const inNone = new Set<Condition>() // under an odd number of groups
  for (const part of conditionsIn(file))
    for (const inner of part.kind === "none" ? visit(part) : []) if (!inNone.delete(inner)) inNone.add(inner)
  for (const part of giving) {
    if ("parts" in part && !isRamp(part)) continue
    const { grows, shrinks } = movesOf(part)
    const message =
      inNone.has(part) && grows
        ? "In `none`, a ramp takes the value away from more and more users, and matches contexts without a time. Swap the values instead."
        : part.kind === "flag" && !inNone.has(part) && shrinks
          ? `As a ramp grows, ${quoted(part.key)} gives this value to fewer and fewer users, and contexts without a time match. Swap the values instead.`
          : undefined
    if (message !== undefined)
      report.add({ code: "inverted-ramp", message, source: file.source, span: spanOfForm(part) })
  }
}

/** The conditions of a segment, or of the rules that may give another value than the flag's default. */
function* givingConditions(file: WithConditions): Generator<Condition, void> {
  if ("condition" in file) yield* visit(file.condition)
  else if ("configurations" in file)
    for (const { items } of file.configurations.values())
      for (const { condition, split, returnValue } of items)
        if (
          condition !== undefined &&
          (split !== undefined || !sameValue(jsonOf(returnValue), file.defaultValue))
        )
          yield* visit(condition)
}

/** Whether a condition matches more users, or fewer, as the ramps in it and in what it refers to grow. */
function movesOf(condition: Condition): { readonly grows: boolean; readonly shrinks: boolean } {
  return fold(
    condition,
    (node, parts: readonly (typeof neither)[]) => {
      const [grows, shrinks] = [parts.some((part) => part.grows), parts.some((part) => part.shrinks)]
      if (isRamp(node)) return { grows: true, shrinks: false }
      return node.kind === "none" ? { grows: shrinks, shrinks: grows } : { grows, shrinks }
    },
    "meanings",
  )
}

const neither = { grows: false, shrinks: false }
