import type { Json, Rule } from "../../../proxy/contract/snapshot.ts"
import { type ParsedCondition, parseCondition } from "../../../sdk/evaluation/condition.ts"
import { parseFlagUse } from "../../compile/meaning/open-condition.ts"
import { listOf } from "../../conditions/list.ts"
import { valueWords } from "../../phrases/people.ts"
import { joinPhrases, listPhrase, type Phrase, phrase } from "../../phrases/phrase.ts"
import { listStep, valueStep } from "../../phrases/value-step.ts"
import type { ConfigurationMeaning, RuleEdited, RuleMember } from "../differences/difference.ts"
import type { Change } from "./change.ts"

/** What changed, without the flag and the environment. Rules count from 1. */
export function describeChange(change: Change): Phrase {
  switch (change.kind) {
    case "project-changed":
      return phrase`project file, ${[change.member]}: ${step(change.before, change.after)}`
    case "environment-added":
      return phrase`environment added`
    case "environment-removed":
      return phrase`environment removed`
    case "environment-changed":
      return phrase`environment id: ${step(change.before.id, change.after.id)}`
    case "flag-added":
      return phrase`flag added`
    case "flag-removed":
      return phrase`flag removed`
    case "flag-renamed":
      return phrase`flag renamed from ${change.from}`
    case "definition-changed":
      if (change.member === "defaultValue")
        return phrase`defaultValue: ${valueStep(change.before, change.after)}`
      return phrase`${[change.member]}: ${step(change.before, change.after)}`
    case "people-changed":
      return phrase`${[change.member]}: ${step(change.before, change.after)}`
    case "ids-changed":
      return change.before.id === change.after.id
        ? phrase`ids of its configurations changed`
        : phrase`id: ${step(change.before.id, change.after.id)}`
    case "configured":
      return phrase`configured: ${configuration(change.after)}`
    case "unconfigured":
      return phrase`configuration removed: ${configuration(change.before)}`
    case "switched-on":
      return phrase`switched on`
    case "switched-off":
      return phrase`switched off`
    case "rule-added":
      return phrase`rule ${change.to + 1} added: ${rule(change.after)}`
    case "rule-removed":
      return phrase`rule ${change.from + 1} removed: ${rule(change.before)}`
    case "rule-moved":
      return phrase`rule ${change.from + 1} moved to ${change.to + 1}: ${rule(change.rule)}`
    case "rule-edited": {
      const isWritten = change.segments === undefined || change.members.some(isOutsideCondition)
      return phrase`rule ${change.to + 1}${[isWritten ? " edited" : ""]}: ${joinPhrases(editedMembers(change), ", ")}`
    }
  }
}

/**
 * What changed in each member. Where only segments changed a condition, these are named; a group is shown as a whole, and a
 * list by what came and went.
 */
function editedMembers({ members, segments = [], before, after }: RuleEdited): readonly Phrase[] {
  const [parsedBefore, parsedAfter] = [parseCondition(before), parseCondition(after)]
  const isWhole = segments.length > 0 || [parsedBefore, parsedAfter].some(({ kind }) => kind !== "comparison")
  const whole =
    segments.length > 0
      ? segmentsChanged(segments)
      : phrase`${conditionText(parsedBefore)} → ${conditionText(parsedAfter)}`
  const own = members.filter((member) => !isWhole || isOutsideCondition(member))
  const isList = before.operator === after.operator && (after.operator === "in" || after.operator === "notIn")
  return [
    ...(own.length < members.length ? [whole] : []),
    ...own.map((member) => {
      if (member === "returnValue")
        return phrase`${[member]} ${valueStep(before.returnValue, after.returnValue)}`
      if (member === "value" && isList) return phrase`${[member]} ${listStep(listOf(before), listOf(after))}`
      return phrase`${[member]} ${step(before[member], after[member])}`
    }),
  ]
}

function isOutsideCondition(member: RuleMember): boolean {
  return member === "id" || member === "returnValue"
}

function segmentsChanged(names: readonly string[]): Phrase {
  const flags = names.flatMap((name) => parseFlagUse(name)?.[1] ?? [])
  const segments = names.filter((name) => parseFlagUse(name) === undefined)
  return joinPhrases([...allChanged("segment", segments), ...allChanged("flag", [...new Set(flags)])], "; ")
}

function allChanged(what: string, names: readonly string[]): readonly Phrase[] {
  if (names.length === 0) return []
  const [noun, verb] = names.length === 1 ? [what, "has"] : [`${what}s`, "have"]
  return [phrase`${[noun]} ${listPhrase(names)} ${[verb]} changed`]
}

function step(before: Json, after: Json): Phrase {
  return phrase`${plain(before)} → ${plain(after)}`
}

/** The value of a member that is text or a list. `null` and the empty text mean that it is not written. */
function plain(value: Json): Phrase {
  if (value === null || value === "") return phrase`nothing`
  return typeof value === "string" ? phrase`${value}` : valueWords(value)
}

function rule(rule: Rule): Phrase {
  return phrase`${conditionText(parseCondition(rule))} gives ${valueWords(rule.returnValue)}`
}

/** A condition as its author wrote it, in short: groups in brackets. */
function conditionText(parsed: ParsedCondition): Phrase {
  if (parsed.kind === "comparison" || parsed.kind === "unreadable") {
    const { attribute, operator, value } = parsed.condition
    return phrase`${[attribute, operator, value].filter((part) => part !== "").join(" ")}`
  }
  const shown = parsed.parts.slice(0, mostConditions).map(conditionText)
  const more = parsed.parts.length - shown.length
  const all = more > 0 ? [...shown, phrase`${more} more`] : shown
  return phrase`${[parsed.kind]} of (${joinPhrases(all, ", ")})`
}

const mostConditions = 5

function configuration({ enabled, rules }: ConfigurationMeaning): Phrase {
  return [`${enabled ? "enabled" : "disabled"}, ${rules.length} rule${rules.length === 1 ? "" : "s"}`]
}
