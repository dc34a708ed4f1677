import type { Json } from "../../proxy/contract/snapshot.ts"
import type { Condition } from "../../sdk/evaluation/condition.ts"
import { listOf } from "./condition.ts"
import { joinPhrases, type Phrase, phrase } from "./phrase.ts"

/** The contexts that match all of the conditions, as the subject of a sentence. */
export function subjectOf(...conditions: readonly [Condition, ...Condition[]]): Phrase {
  const [{ attribute, operator, value }, ...more] = conditions
  if (operator === "always") return phrase`everyone`
  if (operator === "percentage" && more.length === 0) return phrase`${value} % of contexts by ${attribute}`
  return phrase`contexts ${joinPhrases(conditions.map(clauseOf), " and ")}`
}

/** What a condition says of contexts. */
function clauseOf(condition: Condition): Phrase {
  const { attribute, operator, value } = condition
  switch (operator) {
    case "exists":
      return phrase`that have ${attribute}`
    case "notExists":
      return phrase`without ${attribute}`
    case "percentage":
      return phrase`among the ${value} % by ${attribute}`
    case "in":
      return phrase`whose ${attribute} is ${anyOf(listOf(condition))}`
    case "notIn":
      return phrase`whose ${attribute} is not ${anyOf(listOf(condition))}`
    default: {
      const verb = verbs.get(operator)
      return verb === undefined
        ? phrase`that match ${attribute} ${operator} ${value}`
        : phrase`whose ${attribute} ${[verb]} ${value}`
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
  ["notEquals", "is anything other than"],
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
