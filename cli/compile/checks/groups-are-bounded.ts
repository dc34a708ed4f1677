import { deepestGroup, mostConditions } from "../../../sdk/evaluation/condition.ts"
import type { Report } from "../../diagnostics/diagnostic.ts"
import { list } from "../../diagnostics/suggest.ts"
import { longestGroups } from "../../language/encode.ts"
import { spanOfCondition } from "../definition/condition.ts"
import type { DefinedCondition, DefinedSegment, DefinedUse, Definition } from "../definition/definition.ts"
import { eachCondition, eachFlagUse, eachUse } from "../definition/each-condition.ts"
import { addUses, openCondition } from "../meaning/open-condition.ts"
import { createToWire, isReadableOnWire } from "../meaning/wire-condition.ts"
import type { ConditionCheck } from "./check.ts"

/**
 * Including the segments that they use, groups are no deeper, larger or longer on the wire than SDKs and builds can
 * handle. A segment's own mistakes are reported in its file.
 */
export const groupsAreBounded: ConditionCheck = (file, _project, report) => {
  const toWire = createToWire(file.segments)
  let isWithin = true
  eachCondition(file, (condition) => {
    if (condition.kind === "comparison" || !isWithin || !isKnown(condition, file)) return
    isWithin = isBounded(condition, file, report)
    if (!isWithin || isReadableOnWire(toWire(openCondition(condition)))) return
    isWithin = false
    const names = namesIn(condition)
    const what = names.length === 0 ? "groups" : `groups and segments (here ${list(names)})`
    const message = `The ${what} in this file take up more than ${longestGroups} characters on the wire, where each level escapes the quotes of the level below. Nest them less deeply, or shorten their lists.`
    report.add({
      code: "too-many-conditions",
      message,
      source: file.source,
      span: spanOfCondition(condition),
    })
  })
}

function namesIn(condition: DefinedCondition): readonly string[] {
  const names = new Set<string>()
  eachUse(condition, ({ name }) => names.add(name?.text ?? ""))
  eachFlagUse(condition, ({ key }) => names.add(key?.text ?? ""))
  return [...names]
}

/** Whether all segments and flags that a condition uses exist and have no mistakes. */
function isKnown(condition: DefinedCondition, { segments }: Definition | DefinedSegment): boolean {
  const names = new Set<string>()
  addUses(openCondition(condition), names)
  return [...names].every((name) => segments.get(name) !== undefined)
}

function isBounded(whole: DefinedCondition, file: Definition | DefinedSegment, report: Report): boolean {
  const { source, segments } = file
  let conditions = 0
  let isDeep = false
  const reportDeep = (what: string, span: DefinedUse["nameSpan"], advice = "Flatten them.") => {
    if (isDeep) return
    isDeep = true
    const message = `${what} are nested more than ${deepestGroup} levels deep. ${advice}`
    report.add({ code: "too-deep", message, source, span })
  }
  const count = (part: DefinedCondition, depth: number): void => {
    if (part.kind === "comparison") return
    if (part.kind === "segment" || part.kind === "flag") {
      const open = openCondition(part)
      const size = "segment" in open ? segments.get(open.segment) : undefined
      const name = part.kind === "flag" ? part.key : part.name
      conditions += size?.conditions ?? 0
      if (depth + (size?.depth ?? 0) > deepestGroup)
        reportDeep(
          `Including those of the ${part.kind} \`${name?.text}\`, \`all\`, \`any\` and \`none\``,
          name?.span ?? part.nameSpan,
          part.kind === "flag" ? "Shorten the chain of flags, or flatten their conditions." : undefined,
        )
      return
    }
    if (depth === deepestGroup) reportDeep("`all`, `any` and `none`", part.nameSpan)
    conditions += part.conditions.length
    for (const inner of part.conditions) count(inner, depth + 1)
  }
  count(whole, 0)
  if (conditions > mostConditions) {
    const names = namesIn(whole)
    const those = names.length === 0 ? "" : `, including those of ${list(names)}`
    const what = "condition" in file ? "segment" : "rule"
    const message = `This ${what} has ${conditions} conditions${those}; a ${what} may have at most ${mostConditions}, counting groups. Use \`in\` with a list for many strings, or write several ${what}s.`
    report.add({ code: "too-many-conditions", message, source, span: spanOfCondition(whole) })
  }
  return !isDeep && conditions <= mostConditions
}
