import type { Json } from "../../proxy/contract/snapshot.ts"
import { type Condition, listOf } from "./condition.ts"
import { joinPhrases, type Phrase, phrase } from "./phrase.ts"

/** The contexts that a condition matches, as the subject of a sentence. */
export function subjectOf(condition: Condition): Phrase {
  const { attribute, operator, value } = condition
  switch (operator) {
    case "always":
      return phrase`everyone`
    case "exists":
      return phrase`contexts that have ${attribute}`
    case "notExists":
      return phrase`contexts without ${attribute}`
    case "percentage":
      return phrase`${value} % of contexts by ${attribute}`
    case "in":
    case "notIn":
      return phrase`contexts whose ${attribute} is ${operator === "in" ? phrase`` : phrase`not `}${anyOf(listOf(condition))}`
    default: {
      const verb = verbs.get(operator)
      return verb === undefined
        ? phrase`contexts that match ${attribute} ${operator} ${value}`
        : phrase`contexts whose ${attribute} ${[verb]} ${value}`
    }
  }
}

/** The verb that agrees with the subject. */
export function verbOf({ operator }: Condition): Phrase {
  return [operator === "always" ? "now gets" : "now get"]
}

export function valueWords(value: Json): Phrase {
  return phrase`${JSON.stringify(value)}`
}

const verbs: ReadonlyMap<string, string> = new Map([
  ["equals", "is"],
  ["notEquals", "is something else than"],
  ["contains", "contains"],
  ["notContains", "does not contain"],
  ["startsWith", "starts with"],
  ["endsWith", "ends with"],
  ["matches", "matches"],
  ["notMatches", "does not match"],
  ["greaterThan", "is greater than"],
  ["greaterThanOrEquals", "is at least"],
  ["lessThan", "is less than"],
  ["lessThanOrEquals", "is at most"],
  ["semverEquals", "is the version"],
  ["semverNotEquals", "is a version other than"],
  ["semverGreaterThan", "is a version above"],
  ["semverGreaterThanOrEquals", "is a version from"],
  ["semverLessThan", "is a version below"],
  ["semverLessThanOrEquals", "is a version up to"],
  ["before", "is before"],
  ["after", "is after"],
])

const mostItems = 5

function anyOf(items: readonly string[]): Phrase {
  const shown = items.slice(0, mostItems).map((item) => phrase`${item}`)
  const more = items.length - shown.length
  if (more > 0) return phrase`${joinPhrases(shown, ", ")} or one of ${more} more`
  const [last = phrase``] = shown.slice(-1)
  return shown.length < 2 ? last : phrase`${joinPhrases(shown.slice(0, -1), ", ")} or ${last}`
}
