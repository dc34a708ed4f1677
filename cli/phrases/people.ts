import type { Json } from "../../proxy/contract/snapshot.ts"
import { type Condition, type ParsedCondition, parseCondition } from "../../sdk/evaluation/condition.ts"
import { parseShare, type ShareRange } from "../../sdk/evaluation/share-range.ts"
import { withCase } from "../conditions/ignoring-case.ts"
import { listOf } from "../conditions/list.ts"
import { joinPhrases, type Phrase, phrase } from "./phrase.ts"

/** The people who match all of the conditions, as the subject of a sentence. */
export function subjectOf(...conditions: readonly [Condition, ...Condition[]]): Phrase {
  const [{ attribute, operator, value }, ...more] = conditions
  if (operator === "percentage" && more.length === 0) return phrase`${value} % of people by ${attribute}`
  const range = operator === "share" && more.length === 0 ? parseShare(value) : undefined
  if (range !== undefined)
    return phrase`${percentOf(range)} of people by ${attribute} with the seed ${range.seed}`
  const clauses = conditions.map((condition) => clauseOf(parseCondition(condition), more.length > 0 && "and"))
  return phrase`people ${joinPhrases(clauses, " and ")}`
}

/** What a condition says of people. Among clauses that another word joins, a group stands in brackets. */
function clauseOf(parsed: ParsedCondition, within: "and" | "or" | false): Phrase {
  switch (parsed.kind) {
    case "comparison":
      return comparisonClause(parsed.condition)
    case "unreadable":
      return phrase`who match ${parsed.condition.operator} ${parsed.condition.value}`
    default: {
      const { kind, parts } = parsed
      const [only] = parts
      if (only !== undefined && parts.length === 1 && kind !== "none") return clauseOf(only, within)
      const between = kind === "all" ? "and" : "or"
      const shown = parts.slice(0, mostItems).map((part) => clauseOf(part, parts.length > 1 && between))
      const more = parts.length - shown.length
      const counted =
        kind === "all" ? phrase`${more} more conditions` : phrase`one of ${more} more conditions`
      const rest = more > 0 ? [phrase`who match ${counted}`] : []
      const clauses = joinPhrases([...shown, ...rest], ` ${between} `)
      if (kind === "none") {
        const none = phrase`who are not among those ${clauses}`
        return within === false ? none : phrase`(${none})`
      }
      return within === false || within === between ? clauses : phrase`(${clauses})`
    }
  }
}

/** `10 %` or `10 to 20 %`. */
export function percentOf({ from, to }: ShareRange): Phrase {
  const [low, high] = [String(from / 2 ** 32), String(to / 2 ** 32)]
  return low === "0" ? phrase`${high} %` : phrase`${low} to ${high} %`
}

function comparisonClause(condition: Condition): Phrase {
  const plain = withCase(condition.operator)
  const clause = plainClause({ ...condition, operator: plain })
  return plain === condition.operator ? clause : phrase`${clause} (ignoring case)`
}

function plainClause(condition: Condition): Phrase {
  const { attribute, operator, value } = condition
  switch (operator) {
    case "always":
      return ["of any kind"]
    case "exists":
      return phrase`who have ${attribute}`
    case "notExists":
      return phrase`without ${attribute}`
    case "percentage":
      return phrase`among the ${value} % by ${attribute}`
    case "share": {
      const range = parseShare(value)
      return range === undefined
        ? phrase`who match ${attribute} ${operator} ${value}`
        : phrase`among the ${percentOf(range)} by ${attribute} with the seed ${range.seed}`
    }
    case "in":
      return phrase`whose ${attribute} is ${anyOf(listOf(condition))}`
    case "notIn":
      return phrase`whose ${attribute} is not ${anyOf(listOf(condition))}`
    default: {
      const verb = verbs.get(operator)
      return verb === undefined
        ? phrase`who match ${attribute} ${operator} ${value}`
        : phrase`whose ${attribute} ${[verb]} ${value}`
    }
  }
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
  ["beforeOrEquals", "is at or before"],
  ["after", "is after"],
  ["afterOrEquals", "is at or after"],
])

const mostItems = 5

function anyOf(items: readonly string[]): Phrase {
  if (items.length === 0) return ["in an empty list"]
  const shown = items.slice(0, mostItems).map((item) => phrase`${item}`)
  const more = items.length - shown.length
  if (more > 0) return phrase`${joinPhrases(shown, ", ")} or one of ${more} more`
  const [last = phrase``] = shown.slice(-1)
  return shown.length < 2 ? last : phrase`${joinPhrases(shown.slice(0, -1), ", ")} or ${last}`
}
