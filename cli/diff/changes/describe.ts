import type { Json } from "../../../sdk/contract/snapshot.ts"
import {
  joinPhrases,
  listPhrase,
  type Phrase,
  phrase,
  plainPhrase,
  valueWords,
} from "../../diagnostics/phrase.ts"
import { plural } from "../../diagnostics/plural.ts"
import type { TimelessConfiguration } from "../../flag/sent-flag.ts"
import { canonicalJson } from "../../language/canonical-json.ts"
import { listOf } from "../../language/comparisons.ts"
import {
  type Comparison,
  type Condition,
  type Group,
  operandText,
  type Reference,
  type Share,
} from "../../language/condition.ts"
import type { Arm, Rule, Split } from "../../language/flag.ts"
import { namesOf, referencesIn } from "../../language/references.ts"
import { toValue, writtenText } from "../../language/tree.ts"
import { byWords, percent, rampWords } from "../../phrases/share-words.ts"
import { listStep, step, valueStep } from "../../phrases/value-step.ts"
import type { RuleEdited, RuleMember } from "../differences/difference.ts"
import { type ListChange, listChanges } from "../differences/list-changes.ts"
import type { Change } from "./change.ts"

/** What changed, without the flag and the environment. Rules count from 1. */
export function describeChange(change: Change): Phrase {
  switch (change.kind) {
    case "project-changed":
      return phrase`project file, ${[change.member]}: ${memberStep(change.before, change.after)}`
    case "environment-added":
      return change.renamedFrom === undefined
        ? phrase`environment added`
        : phrase`environment renamed from ${change.renamedFrom}`
    case "environment-removed":
      return change.renamedTo === undefined
        ? phrase`environment removed`
        : phrase`environment renamed to ${change.renamedTo}`
    case "environment-changed":
      return phrase`environment id: ${memberStep(change.before.id, change.after.id)}`
    case "invariant-changed": {
      const how = change.before === null ? "added" : change.after === null ? "removed" : "changed"
      return phrase`invariant ${change.invariant} ${[how]}`
    }
    case "flag-added":
      return phrase`flag added`
    case "flag-removed":
      return phrase`flag removed`
    case "flag-renamed":
      return phrase`flag renamed from ${change.from}`
    case "definition-changed":
      if (change.member === "defaultValue")
        return phrase`defaultValue: ${valueStep(change.before, change.after)}`
      return phrase`${[change.member]}: ${memberStep(change.before, change.after)}`
    case "people-changed":
      return phrase`${[change.member]}: ${memberStep(change.before, change.after)}`
    case "ids-changed":
      return change.before.id === change.after.id
        ? phrase`ids of its configurations changed`
        : phrase`id: ${memberStep(change.before.id, change.after.id)}`
    case "configured":
      return phrase`configured: ${configuration(change.after, change.written?.after)}`
    case "unconfigured":
      return phrase`configuration removed: ${configuration(change.before, change.written?.before)}`
    case "switched-on":
      return phrase`switched on`
    case "switched-off":
      return phrase`switched off`
    default:
      return describeRule(change)
  }
}

/** Rules are numbered as in the file, where a split is one rule. */
function describeRule(change: ChangeOfRule): Phrase {
  const { before, after } = change.written ?? {}
  const [from, to] = [before?.number ?? 0, after?.number ?? 0]
  switch (change.kind) {
    case "rule-added":
    case "rule-removed": {
      if (before && after) return phrase`rule ${to} edited: ${conditionStep(before, after)}`
      return "after" in change
        ? phrase`rule ${to} added: ${ruleText(change.after)}`
        : phrase`rule ${from} removed: ${ruleText(change.before)}`
    }
    case "rule-moved":
      return phrase`rule ${from} moved to ${to}: ${ruleText(change.rule)}`
    case "rule-edited": {
      const isWritten = change.references === undefined || change.members.some(isOutsideCondition)
      return phrase`rule ${to}${[isWritten ? " edited" : ""]}: ${joinPhrases(editedMembers(change), ", ")}`
    }
  }
}

type ChangeOfRule = Extract<Change, { readonly kind: `rule-${string}` }>

/** What changed in a rule: its condition, its value and its id. */
function editedMembers({ members, references = [], before, after }: RuleEdited): readonly Phrase[] {
  const [split, newSplit] = [before.item.split, after.item.split]
  if (split && newSplit) {
    const { values, shares } = armChanges(split, newSplit)
    // Several arms are one edit, however many rules they are for SDKs.
    if (values + shares > 1) return [conditionStep(before, after)]
  }
  const ofCondition = members.filter((member) => !isOutsideCondition(member))
  return [
    ...(ofCondition.length > 0 ? [conditionEdit(before, after, references, ofCondition)] : []),
    ...(members.includes("id") ? [phrase`id ${memberStep(before.sent.id, after.sent.id)}`] : []),
    ...(members.includes("returnValue") ? [phrase`returnValue ${valueStep(before.gives, after.gives)}`] : []),
  ]
}

/** References whose meaning changed by their names, lists by what was added and removed, and any other condition as a whole. */
function conditionEdit(
  before: Rule,
  after: Rule,
  references: readonly Reference[],
  members: readonly RuleMember[],
): Phrase {
  const [one, other] = [before.item.condition, after.item.condition]
  const inFiles = one && other ? listChanges(one, other) : []
  const named = [...referencesChanged(references), ...inFiles.map(listChangeWords)]
  if (named.length > 0) return joinPhrases(named, "; ")
  const [from, to] = [listOf(before.sent), listOf(after.sent)]
  const isOfList = before.condition.kind === "comparison" && members.join() === "value"
  return isOfList && from && to ? phrase`value ${listStep(from, to)}` : conditionStep(before, after)
}

/** Both conditions, or "shares" if only a split's shares changed. */
function conditionStep(before: Rule, after: Rule): Phrase {
  const texts = [textOf(before), textOf(after)] as const
  const [split, newSplit] = [before.item.split, after.item.split]
  if (split && newSplit && plainPhrase(texts[0]) === plainPhrase(texts[1]))
    return [armChanges(split, newSplit).values > 0 ? "arms" : "shares"]
  const [smaller, larger] = [firstShare(before), firstShare(after)]
  const isOfSameUsers = smaller !== undefined && smaller.by === larger?.by
  return isOfSameUsers
    ? phrase`${[percent(smaller.to)]} % → ${[percent(larger.to)]} % by ${larger.by}`
    : step(...texts)
}

/** A rule's share from 0 by the flag's own key; `undefined` for a split or any other condition. */
function firstShare({ condition, item }: Rule): Share | undefined {
  return item.split === undefined && condition.kind === "share" && isFirst(condition) ? condition : undefined
}

function isFirst({ from, seed }: Share): boolean {
  return from === 0 && seed === undefined
}

function isOutsideCondition(member: RuleMember): boolean {
  return member === "id" || member === "returnValue"
}

function referencesChanged(references: readonly Reference[]): readonly Phrase[] {
  const { segments, flags } = namesOf(references)
  return [...allChanged("segment", segments), ...allChanged("flag", flags)]
}

/** Such as `customers.txt`: 3 added, 1 removed. */
export function listChangeWords({ file, added, removed }: ListChange): Phrase {
  const counts = [added > 0 ? `${added} added` : "", removed > 0 ? `${removed} removed` : ""]
  return phrase`${file}: ${[counts.filter((count) => count !== "").join(", ")]}`
}

function allChanged(what: string, names: readonly string[]): readonly Phrase[] {
  if (names.length === 0) return []
  const [noun, verb] = names.length === 1 ? [what, "has"] : [`${what}s`, "have"]
  return [phrase`${[noun]} ${listPhrase(names)} ${[verb]} changed`]
}

function memberStep(before: Json, after: Json): Phrase {
  return step(plain(before), plain(after))
}

/** The value of a member. `null` and the empty string mean that it is not written. */
function plain(value: Json): Phrase {
  if (value === null || value === "") return ["(none)"]
  return typeof value === "string" ? phrase`${value}` : valueWords(value)
}

function ruleText(rule: Rule): Phrase {
  const { item, gives } = rule
  const text = textOf(rule)
  if (item.split !== undefined) return text
  const value = valueWords(gives)
  // A condition about another flag also has the word "gives".
  const references = item.condition ? referencesIn(item.condition) : []
  return references.some(({ kind }) => kind === "flag")
    ? phrase`if ${text}: ${value}`
    : phrase`${text} gives ${value}`
}

/** The condition of a rule as its file has it, or the split that it is a share of. */
function textOf({ condition: own, item: { split, condition } }: Rule): Phrase {
  if (split === undefined) return conditionText(own)
  const by = byWords({ by: writtenText(split.by?.value)?.text ?? "", seed: split.seed })
  return phrase`split ${by}${condition === undefined ? [] : limitText(condition)}`
}

/** A condition as its author wrote it, in short: groups in brackets. */
function conditionText(condition: Condition): Phrase {
  switch (condition.kind) {
    case "comparison":
      return comparisonText(condition)
    case "share": {
      const { from, to } = condition
      return phrase`${isFirst(condition) ? [] : [`${percent(from)} to `]}${[percent(to)]} % ${byWords(condition)}`
    }
    case "segment":
      return phrase`segment ${condition.name}`
    case "flag":
      return phrase`flag ${condition.key} gives ${valueWords(condition.is)}`
    default:
      return condition.ramp === undefined ? groupText(condition) : rampWords(condition.ramp)
  }
}

function comparisonText(condition: Comparison): Phrase {
  const parts = [condition.attribute, condition.operator, condition.file ?? operandText(condition)]
  const text = parts.filter((part) => part !== "").join(" ")
  return phrase`${text}${["ignoreCase" in condition ? " (ignoring case)" : ""]}`
}

/** Whom a split is limited to, such as `, without the first 10 % by userId`. */
function limitText(condition: Condition): Phrase {
  const [part, ...others] = condition.kind === "none" ? condition.parts : []
  if (part === undefined || others.length > 0) return phrase` of ${conditionText(condition)}`
  return part.kind === "share" && part.from === 0
    ? phrase`, without the first ${[percent(part.to)]} % ${byWords(part)}`
    : phrase`, without ${conditionText(part)}`
}

function groupText({ kind, parts }: Group): Phrase {
  const shown = parts.slice(0, mostConditions).map(conditionText)
  const more = parts.length - shown.length
  const all = more > 0 ? [...shown, phrase`${more} more`] : shown
  return phrase`${[kind]} of (${joinPhrases(all, ", ")})`
}

const mostConditions = 5

function configuration({ enabled, rules }: TimelessConfiguration, last: Rule | undefined): Phrase {
  return [`${enabled ? "enabled" : "disabled"}, ${plural(last?.number ?? rules.length, "rule")}`]
}

/** How many arms of a split have a different value than before, and how many a different share. New and removed arms count among the latter. */
function armChanges(before: Split, after: Split): { readonly values: number; readonly shares: number } {
  const arms = before.arms.map((arm, at) => [arm, after.arms[at]] as const)
  const count = (read: (arm: Arm) => unknown) =>
    arms.filter(([arm, newArm]) => newArm !== undefined && read(arm) !== read(newArm)).length
  return {
    values: count(({ returnValue }) => returnValue && canonicalJson(toValue(returnValue))),
    shares: count(({ thousandths }) => thousandths) + Math.abs(before.arms.length - after.arms.length),
  }
}
