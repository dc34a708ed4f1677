import type { Rule } from "../../../proxy/contract/snapshot.ts"
import { canonicalJson } from "../../compile/meaning/canonical-json.ts"
import type { Phrase } from "../../phrases/phrase.ts"
import { withoutId } from "./effects-of-new.ts"

/** The rules of an environment on both sides of an edit. */
export interface RulesEdit {
  readonly before: readonly Rule[]
  readonly after: readonly Rule[]
}

/** The same, with what is known of each side; `undefined`: it cannot have stand-ins. */
export interface FormsEdit {
  readonly before: RulesForm | undefined
  readonly after: RulesForm | undefined
}

/** The rules of an environment, as stand-ins see them. */
export interface RulesForm {
  readonly rules: readonly Rule[]
  /** What the rules say, with a mark for each percentage that is replaced. */
  readonly text: string
  /** By rule, the percentage that is replaced; `undefined`: there is none. */
  readonly percentages: readonly (number | undefined)[]
  /** What each rule says, percentages included. */
  readonly contents: readonly string[]
}

/**
 * Other percentages in the same order: what is said of an edit from 5 to 10 % and of one from 20 to 50 % differs in the
 * numbers only, because `diff` asks of percentages and of ids which are equal, and of percentages which is more. It shows an
 * id only where nothing else of a rule changed.
 */
export interface StandIns {
  /** Equal for edits with equal stand-ins, where the texts of their forms are equal. */
  readonly order: string
  /** The edits with the stand-ins, and with ids that depend on nothing but which of them are equal. */
  readonly replaced: () => readonly RulesEdit[]
  /** A phrase with the percentages in place of the stand-ins. */
  readonly restore: (phrase: Phrase) => Phrase
}

/** `undefined` where rules cannot have stand-ins: they have the form of one, or percentages that stay. */
export function formOf(rules: readonly Rule[]): RulesForm | undefined {
  if (rules.some(mayBeBetween) || JSON.stringify(rules).includes(mark)) return undefined
  const percentages = rules.map((rule) => (isReplaced(rule) ? Number(rule.value) : undefined))
  return {
    rules,
    percentages,
    text: JSON.stringify(
      rules.map((rule, at) => withoutId(percentages[at] === undefined ? rule : { ...rule, value: mark })),
    ),
    contents: rules.map((rule) => canonicalJson(withoutId(rule))),
  }
}

/** `undefined`: none. `others` are texts of what else a sentence may name: environments and the default value. */
export function standInsFor(edits: readonly FormsEdit[], others: readonly string[]): StandIns | undefined {
  const own: { readonly before: RulesForm; readonly after: RulesForm }[] = []
  const inOrder: number[] = []
  for (const { before, after } of edits) {
    if (before === undefined || after === undefined || !haveOneId(before, after)) return undefined
    own.push({ before, after })
    for (const percentages of [before.percentages, after.percentages])
      for (const one of percentages) if (one !== undefined && !inOrder.includes(one)) inOrder.push(one)
  }
  if (inOrder.length === 0 || others.some((text) => text.includes(mark))) return undefined
  if (own.some((edit) => hasValueOf(edit.before, inOrder) || hasValueOf(edit.after, inOrder)))
    return undefined
  inOrder.sort((a, b) => a - b)
  const place = (percentage: number | undefined) => inOrder.indexOf(percentage as number)
  const restoreText = (text: string) =>
    text.includes(mark)
      ? text.replace(everyStandIn, (found) => `${inOrder[Number(found.slice(mark.length)) - 1] ?? found}`)
      : text
  return {
    order: orderOf(own, place),
    replaced: () =>
      own.map(({ before, after }) => {
        const ids = new Map<string, string>()
        const replace = ({ rules, percentages }: RulesForm) =>
          rules.map((rule, at): Rule => {
            const id = ids.get(rule.id) ?? `${ids.size}`
            ids.set(rule.id, id)
            const percentage = percentages[at]
            return { ...rule, id, value: percentage === undefined ? rule.value : standIn(place(percentage)) }
          })
        return { before: replace(before), after: replace(after) }
      }),
    restore: (phrase) =>
      phrase.map((part) =>
        typeof part === "string" ? restoreText(part) : { foreign: restoreText(part.foreign) },
      ),
  }
}

/** Which rule has which percentage, and which have one id. */
function orderOf(
  edits: readonly { readonly before: RulesForm; readonly after: RulesForm }[],
  place: (percentage: number | undefined) => number,
): string {
  let order = ""
  for (const { before, after } of edits) {
    const ids = new Map<string, number>()
    for (const { rules, percentages } of [before, after])
      rules.forEach(({ id }, at) => {
        const name = ids.get(id) ?? ids.size
        ids.set(id, name)
        order += ` ${place(percentages[at])}:${name}`
      })
  }
  return order
}

/** Whether another rule has one of the percentages as its value: where it becomes a percentage, `diff` sees the value stay. */
function hasValueOf({ rules, percentages }: RulesForm, inOrder: readonly number[]): boolean {
  return rules.some(({ value }, at) => percentages[at] === undefined && inOrder.includes(Number(value)))
}

/** Whether rules that say the same have the same id. Where they have not, `diff` may show the ids. JSON values are the same in any order of members. */
function haveOneId(before: RulesForm, after: RulesForm): boolean {
  const ids = new Map<string, string>()
  for (const { rules, contents } of [before, after])
    for (const [at, { id }] of rules.entries()) {
      const content = contents[at] as string
      if ((ids.get(content) ?? id) !== id) return false
      ids.set(content, id)
    }
  return true
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

/** Whether a percentage stays that may be more than one of the replaced ones and less than another. */
function mayBeBetween(rule: Rule): boolean {
  const { operator, value } = rule
  return operator === "percentage"
    ? !isReplaced(rule) && value !== "0" && value !== "100"
    : value.includes("percentage")
}
