import type { Json, Rule } from "../../../proxy/contract/snapshot.ts"
import type { Phrase } from "../../phrases/phrase.ts"
import { contentOf } from "./effects-of-new.ts"

/** The rules of an environment on both sides of an edit. */
export interface RulesEdit {
  readonly before: readonly Rule[]
  readonly after: readonly Rule[]
}

/**
 * Other percentages in the same order, for an edit of percentages alone: what is said of one from 5 to 10 % and of one from
 * 20 to 50 % differs in the numbers only.
 */
export interface StandIns {
  /** Rules with the stand-ins, and with ids that depend on nothing but which of them are equal. */
  readonly replace: (edit: RulesEdit) => RulesEdit
  /** A phrase with the percentages in place of the stand-ins. */
  readonly restore: (phrase: Phrase) => Phrase
}

/**
 * `undefined` where an edit is more than whole percentages that others replace, rule by rule. `others` are what else a
 * sentence may name: environments and the default value.
 */
export function standInsFor(edits: readonly RulesEdit[], others: readonly Json[]): StandIns | undefined {
  const percentages = new Set<number>()
  for (const { before, after } of edits) {
    if (before.length !== after.length || !areOthers(before, after)) return undefined
    for (const rule of [...before, ...after]) {
      if (isReplaced(rule)) percentages.add(Number(rule.value))
      else if (mayBeBetween(rule)) return undefined
    }
  }
  if (percentages.size === 0 || JSON.stringify([edits, others]).includes(mark)) return undefined
  const inOrder = [...percentages].sort((a, b) => a - b)
  const standIns = new Map(inOrder.map((percentage, at) => [`${percentage}`, standIn(at)]))
  const texts = new Map(inOrder.map((percentage, at) => [standIn(at), `${percentage}`]))
  const restoreText = (text: string) =>
    text.includes(mark) ? text.replace(everyStandIn, (found) => texts.get(found) ?? found) : text
  return {
    replace({ before, after }) {
      const ids = new Map<string, string>()
      const replaced = (rule: Rule): Rule => {
        const id = ids.get(rule.id) ?? `${ids.size}`
        ids.set(rule.id, id)
        return {
          ...rule,
          id,
          value: isReplaced(rule) ? (standIns.get(rule.value) ?? rule.value) : rule.value,
        }
      }
      return { before: before.map(replaced), after: after.map(replaced) }
    },
    restore: (phrase) =>
      phrase.map((part) =>
        typeof part === "string" ? restoreText(part) : { foreign: restoreText(part.foreign) },
      ),
  }
}

/** Hardly any author writes this. An edit that has it gets no stand-ins. */
const mark = "00000000"
const everyStandIn = new RegExp(`${mark}\\d\\d`, "g")

/** From 1 to 99: there are no more percentages to stand in for. */
function standIn(at: number): string {
  return mark + String(at + 1).padStart(2, "0")
}

/** 0 and 100 stay: nobody is among 0 %, and everybody is among 100 %. */
function isReplaced({ operator, value }: Rule): boolean {
  return operator === "percentage" && /^[1-9]\d?$/.test(value)
}

/** Whether a percentage that stays may be more than one of the replaced ones and less than another. */
function mayBeBetween({ operator, value }: Rule): boolean {
  return operator === "percentage" ? value !== "0" && value !== "100" : value.includes("percentage")
}

/** Whether rules differ in nothing but percentages, and their ids follow. */
function areOthers(before: readonly Rule[], after: readonly Rule[]): boolean {
  const known = new Set<string>()
  return before.every((one, at) => {
    const other = after[at] as Rule
    const [own, later] = [namesOf(one), namesOf(other)]
    // `diff` may take a rule for another one with the same id or the same words.
    if ([...own, ...later].some((name) => known.has(name))) return false
    for (const name of [...own, ...later]) known.add(name)
    const isOther = isReplaced(one) && isReplaced(other) && one.value !== other.value
    if (!isOther && (one.value !== other.value || one.id !== other.id)) return false
    return (
      one.attribute === other.attribute &&
      one.operator === other.operator &&
      JSON.stringify(one.returnValue) === JSON.stringify(other.returnValue)
    )
  })
}

/** By which rules of both sides are taken for one: the id and what the rule says. */
function namesOf(rule: Rule): readonly string[] {
  return [rule.id, JSON.stringify(contentOf(rule))]
}
