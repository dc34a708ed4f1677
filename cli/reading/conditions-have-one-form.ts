import { isGroupKind } from "../../sdk/evaluation/condition.ts"
import type { Report, SourceFile, Span } from "../diagnostics/diagnostic.ts"
import { list, quoted } from "../diagnostics/suggest.ts"
import type { Condition, Group } from "../language/condition.ts"
import { type MappingNode, memberOf } from "../language/tree.ts"
import { type ConditionCheck, placedConditions } from "./conditions-in-file.ts"
import {
  conditionForms,
  conditionMembers,
  ofComparison,
  ruleMembers,
  segmentMembers,
} from "./grammar/schema.ts"
import { renaming } from "./hints/quote.ts"
import { isReplaced } from "./hints/unknown-field.ts"

/** A rule, a segment, and each condition in a group has exactly one form, such as a comparison or a group. */
export const conditionsHaveOneForm: ConditionCheck = (file, _project, report) => {
  const { source } = file
  const ofWhole =
    "condition" in file
      ? { what: "A segment", known: segmentMembers, strays: [] }
      : "conditions" in file
        ? { what: "An invariant's condition", known: conditionMembers, strays: [] }
        : { what: "This rule", known: ruleMembers, strays: forms }
  const offered = "condition" in file ? others.filter((name) => name !== "flag") : others
  for (const [condition, node, group] of placedConditions(file))
    check(condition, { node, offered, ...(group === undefined ? ofWhole : ofPart(group)) }, source, report)
}

const others: readonly string[] = conditionForms
const forms = ["operator", ...others]

/** The mapping around a condition or its list. */
interface Around {
  readonly node: MappingNode
  /** What needs a condition, as the start of a sentence. */
  readonly what: string
  /** The members that the condition and its mapping may have. */
  readonly known: readonly string[]
  /** The forms that a message offers: a segment cannot depend on a flag. */
  readonly offered: readonly string[]
  /** Members that the mapping cannot have, so they were meant for the condition. */
  readonly strays: readonly string[]
}

function ofPart({ kind }: Group) {
  return { what: `An item of \`${kind}\``, known: conditionMembers, strays: ["operator"] }
}

function check(condition: Condition, around: Around, source: SourceFile, report: Report): void {
  const { at } = condition
  const kind = "ramp" in condition ? "ramp" : condition.kind
  if (at === undefined) return
  const { node } = at
  if (at.name !== undefined && memberOf(node, kind) === undefined) return // what a ramp stands for
  const is = kind === "flag" ? undefined : memberOf(node, "is")
  if (is !== undefined) {
    const message = "`is` is the value of another flag. Write it next to `flag`."
    report.add({ code: "unknown-field", message, source, span: is.nameSpan })
  }
  if (at.name === undefined) {
    if (is === undefined && memberOf(node, "operator") === undefined)
      reportMissing(node, around, source, report)
    return
  }
  // What is beside a share that is no mapping belongs inside it.
  if (kind !== "share" || at.value?.kind === "mapping") reportSeveral(kind, node, at.name, source, report)
}

/** A misspelt or misplaced member is not missing. */
function reportMissing(node: MappingNode, around: Around, source: SourceFile, report: Report): void {
  if (forms.some((name) => isReplaced(name, { mapping: node, known: around.known }))) return
  if (around.strays.some((name) => memberOf(around.node, name) !== undefined)) return
  const isBegun = ofComparison.some((name) => memberOf(node, name) !== undefined)
  const what = isBegun
    ? "`operator`"
    : `a condition: \`attribute\`, \`operator\` and \`value\`, or one of ${list(around.offered)}`
  report.add({
    code: "missing-field",
    message: `${around.what} needs ${what}.`,
    source,
    span: node.members[0]?.nameSpan ?? node,
  })
}

function reportSeveral(
  kind: string,
  node: MappingNode,
  nameSpan: Span,
  source: SourceFile,
  report: Report,
): void {
  const related = [{ message: `${quoted(kind)} is here.`, location: { source, span: nameSpan } }]
  const beside = node.members.filter(({ name }) => ofComparison.includes(name))
  const [first] = beside
  const isValue = kind === "flag" && beside.every(({ name }) => name === "value")
  const names = list(beside.map(({ name }) => name))
  if (first !== undefined && isValue && memberOf(node, "is") === undefined)
    report.add({
      code: "several-conditions",
      message: "Write `is` instead of `value`: it is the value that the other flag gives.",
      source,
      span: first.nameSpan,
      fix: renaming(first.nameSpan, "is", source),
    })
  else if (first !== undefined)
    report.add({
      code: "several-conditions",
      message: `${quoted(kind)} replaces \`attribute\`, \`operator\` and \`value\`. ${
        isAlone(kind)
          ? "Make both conditions items of a list under `all`."
          : `Move ${names} into an item of its list, after \`- \`.`
      }`,
      source,
      span: first.nameSpan,
      related,
    })
  const more = node.members.filter(({ name }) => name !== kind && others.includes(name))
  for (const { name, nameSpan: span } of more) {
    const [alone, group] = isAlone(kind) ? [kind, name] : [name, kind]
    const advice = !isAlone(alone)
      ? `Make \`${name}\` an item of \`${kind}\`, or the other way round.`
      : isAlone(group)
        ? "Make both conditions items of a list under `all`."
        : `Make \`${alone}\` an item of \`${group}\`.`
    const message = `${list([kind, name])} cannot be used side by side. ${advice}`
    report.add({ code: "several-conditions", message, source, span, related })
  }
}

/** Whether a condition with this name is never a group. */
function isAlone(name: string): boolean {
  return others.includes(name) && !isGroupKind(name)
}
