import type { Condition } from "../../sdk/evaluation/condition.ts"
import { withCase } from "../conditions/ignoring-case.ts"
import { attributeShare } from "../conditions/share-range.ts"
import { boundOf, boundsWords } from "./bounds.ts"
import { isPlace, type Names, textsOf } from "./clauses.ts"
import { joinLast, mostItems, type Phrase, phrase } from "./phrase.ts"
import { byWords, percent, shareWords } from "./share-words.ts"

/** A comparison that holds or does not, such as `with plan pro`. */
export function comparisonWords(condition: Condition, holds: boolean, names: Names): Phrase {
  const { attribute, operator, value } = condition
  const plain = withCase(operator)
  if (plain !== operator)
    return phrase`${comparisonWords({ ...condition, operator: plain }, holds, names)} (ignoring case)`
  const share = attributeShare(condition)
  if (share !== undefined) {
    const by = byWords(attribute, share.seed)
    if (holds) return shareWords(share)
    if (share.from === 0 && share.to === 100) return phrase`without any ${attribute}`
    return share.from === 0
      ? phrase`outside the first ${[percent(share.to)]} % ${by}`
      : phrase`not between ${[percent(share.from)]} % and ${[percent(share.to)]} % ${by}`
  }
  const pattern = patternVerbs.get(operator)
  if (pattern !== undefined) return phrase`whose ${attribute} ${[pattern[holds ? 0 : 1]]} ${value}`
  const texts = textsOf(condition)
  if (texts.length === 0 && operator === "in") return phrase`with ${attribute} in ${"[]"}`
  if (texts.length === 0) return phrase`${[holds ? "with any" : "without any"]} ${attribute}`
  switch (operator) {
    case "always":
      return ["of no kind"]
    case "exists":
    case "notExists":
      return phrase`${[holds === (operator === "exists") ? "with any" : "without any"]} ${attribute}`
    case "equals":
    case "in":
      if (isPlace(condition) && attribute === names.place)
        return holds ? phrase`in ${anyOf(texts)}` : phrase`outside ${anyOf(texts, "and")}`
      return phrase`${[holds ? "with" : "without"]} ${attribute} ${anyOf(texts)}`
    case "semverEquals":
      return phrase`${[holds ? "on" : "not on"]} ${attribute} ${value}`
    case "notEquals":
    case "notIn":
      return holds
        ? phrase`with ${attribute} other than ${anyOf(texts)}`
        : phrase`whose ${attribute} is ${anyOf(texts, "or", ["missing"])}`
    case "notContains":
    case "notMatches": {
      const [is, isNot] = patternVerbs.get(operator === "notContains" ? "contains" : "matches") ?? []
      if (holds) return phrase`with any ${attribute} that ${[isNot ?? ""]} ${value}`
      return phrase`whose ${attribute} ${[is ?? ""]} ${value} or is missing`
    }
    case "semverNotEquals":
      return holds
        ? phrase`on ${attribute} other than ${value}`
        : phrase`whose ${attribute} is ${value} or missing`
    default: {
      const bound = boundOf(condition, holds)
      if (bound !== undefined) {
        const ends = { low: bound.isUpper ? undefined : bound, high: bound.isUpper ? bound : undefined }
        return boundsWords({ ...bound, ...ends, orNone: !holds })
      }
      return phrase`${[holds ? "who match" : "who do not match"]} ${[attribute, operator, value].filter((text) => text !== "").join(" ")}`
    }
  }
}

/** The words for what a string has, what it does not have, and for both after "but not". */
export const patternVerbs: ReadonlyMap<string, readonly [string, string, string]> = new Map([
  ["contains", ["contains", "does not contain", ""]],
  ["startsWith", ["starts with", "does not start with", "with "]],
  ["endsWith", ["ends with", "does not end with", "with "]],
  ["matches", ["matches", "does not match", ""]],
])

/** Texts, such as `a, b or c`. */
export function anyOf(items: readonly string[], and = "or", ...others: readonly Phrase[]): Phrase {
  const shown = items.slice(0, mostItems).map((item) => (item === "" ? ["empty"] : phrase`${item}`))
  const more = items.length - shown.length
  const all = [...shown, ...(more > 0 ? [[`${and === "or" ? "one of " : ""}${more} more`]] : []), ...others]
  return joinLast(all, and)
}
