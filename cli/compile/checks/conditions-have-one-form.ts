import type { Report, SourceFile } from "../../diagnostics/diagnostic.ts"
import { list, quoted } from "../../diagnostics/suggest.ts"
import type { DefinedCondition, DefinedGroup } from "../definition/definition.ts"
import { groupKinds } from "../definition/operators.ts"
import { ruleMembers } from "../definition/schema.ts"
import { isReplaced } from "../definition/unknown-member.ts"
import { type MappingNode, memberOf } from "../yaml/tree.ts"
import type { Check } from "./check.ts"

/** A rule, and each condition of a group, is one comparison or one group. */
export const conditionsHaveOneForm: Check = ({ source, configurations }, _project, report) => {
  for (const { node, rules } of configurations)
    for (const { condition } of rules)
      check(condition, { node, name: "rules", strays: forms }, source, report)
}

const forms = ["operator", ...groupKinds]
const ofComparison = ["attribute", "operator", "value"]

/** The mapping in which a condition's list is, and the list's name. */
interface Around {
  readonly node: MappingNode
  readonly name: string
  /** The members that it cannot have: they were meant to be the condition's. */
  readonly strays: readonly string[]
}

function check(condition: DefinedCondition, around: Around, source: SourceFile, report: Report): void {
  if (condition.kind === "comparison") {
    if (memberOf(condition.node, "operator") === undefined)
      reportMissing(condition.node, around, source, report)
    return
  }
  reportSeveral(condition, source, report)
  const inside = { node: condition.node, name: condition.kind, strays: ["operator"] }
  for (const part of condition.conditions) check(part, inside, source, report)
}

/** A misspelt or misplaced member is not missing; the shape check has reported it. */
function reportMissing(node: MappingNode, around: Around, source: SourceFile, report: Report): void {
  if (forms.some((name) => isReplaced(name, { mapping: node, known: ruleMembers }))) return
  if (around.strays.some((name) => memberOf(around.node, name) !== undefined)) return
  const isBegun = ofComparison.some((name) => memberOf(node, name) !== undefined)
  const what = isBegun
    ? "the member `operator`"
    : `a condition: \`attribute\`, \`operator\` and \`value\`, or one of ${list(groupKinds)}`
  report.add({
    code: "missing-member",
    message: `An item of \`${around.name}\` needs ${what}.`,
    source,
    span: node.members[0]?.nameSpan ?? node,
  })
}

function reportSeveral({ kind, node, nameSpan }: DefinedGroup, source: SourceFile, report: Report): void {
  const related = [{ message: `${quoted(kind)} is here.`, location: { source, span: nameSpan } }]
  const beside = node.members.filter(({ name }) => ofComparison.includes(name))
  const [first] = beside
  const names = list(beside.map(({ name }) => name))
  if (first !== undefined)
    report.add({
      code: "several-conditions",
      message: `${quoted(kind)} stands in place of \`attribute\`, \`operator\` and \`value\`. Move ${names} into an item of its list, after \`- \`.`,
      source,
      span: first.nameSpan,
      related,
    })
  const others = groupKinds.filter((name) => name !== kind)
  for (const { name, nameSpan: span } of node.members.filter(({ name }) =>
    others.some((one) => one === name),
  ))
    report.add({
      code: "several-conditions",
      message: `${list([kind, name])} cannot stand side by side. Make \`${name}\` an item of the list of \`${kind}\`, or the other way round.`,
      source,
      span,
      related,
    })
}
