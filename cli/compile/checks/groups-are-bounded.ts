import { deepestGroup, mostConditions } from "../../../sdk/evaluation/condition.ts"
import type { Report, SourceFile } from "../../diagnostics/diagnostic.ts"
import type { DefinedGroup } from "../definition/definition.ts"
import { createTravel, hasTravelled, longestGroups } from "../meaning/travelling.ts"
import type { Check } from "./check.ts"

/** Groups are no deeper, have no more conditions and are no longer on the wire than SDKs and builds can take. */
export const groupsAreBounded: Check = ({ source, configurations }, _project, report) => {
  const travel = createTravel()
  for (const { rules } of configurations) {
    for (const { condition } of rules) {
      if (condition.kind === "comparison") continue
      if (!isBounded(condition, source, report)) return
      if (hasTravelled(condition, travel(condition))) continue
      const message = `The groups of this file have more than ${longestGroups} characters on the wire, where each level writes the quotes of the one below anew. Nest them less, or write shorter lists.`
      report.add({ code: "too-many-conditions", message, source, span: condition.nameSpan })
      return
    }
  }
}

function isBounded(rule: DefinedGroup, source: SourceFile, report: Report): boolean {
  let conditions = 0
  let isDeep = false
  const count = (group: DefinedGroup, depth: number): void => {
    if (depth > deepestGroup && !isDeep) {
      isDeep = true
      const message = `\`all\`, \`any\` and \`none\` are nested more than ${deepestGroup} deep. Make them flatter.`
      report.add({ code: "too-deep", message, source, span: group.nameSpan })
    }
    conditions += group.conditions.length
    for (const part of group.conditions) if (part.kind !== "comparison") count(part, depth + 1)
  }
  count(rule, 1)
  if (conditions > mostConditions) {
    const message = `This rule has ${conditions} conditions; a rule has at most ${mostConditions}, groups included. Write \`in\` with a list for many texts, or several rules.`
    report.add({ code: "too-many-conditions", message, source, span: rule.nameSpan })
  }
  return !isDeep && conditions <= mostConditions
}
