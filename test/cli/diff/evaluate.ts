import { hash } from "node:crypto"
import type { ConfigurationMeaning } from "../../../cli/diff/change.ts"
import type { Condition } from "../../../cli/diff/condition.ts"
import type { Json } from "../../../proxy/contract/snapshot.ts"

/** What an SDK compares with. */
export type Context = Readonly<Record<string, string>>

/** A flag's value for a context, as docs/flag-files.md says it. */
export function evaluate(
  key: string,
  defaultValue: Json,
  configuration: ConfigurationMeaning | undefined,
  context: Context,
): Json {
  const rules = configuration?.enabled ? configuration.rules : []
  const rule = rules.find((one) => matches(one, context, key))
  return rule === undefined ? defaultValue : rule.returnValue
}

/** Whether a condition matches a context; only the operators that tests generate. */
export function matches({ attribute, operator, value }: Condition, context: Context, key = "flag"): boolean {
  if (operator === "always") return true
  const text = context[attribute]
  if (operator === "notExists") return text === undefined
  if (text === undefined) return false
  switch (operator) {
    case "exists":
      return true
    case "equals":
      return text === value
    case "notEquals":
      return text !== value
    case "in":
      return JSON.parse(value).includes(text)
    case "notIn":
      return !JSON.parse(value).includes(text)
    case "contains":
      return text.includes(value)
    case "notContains":
      return !text.includes(value)
    case "startsWith":
      return text.startsWith(value)
    case "endsWith":
      return text.endsWith(value)
    case "matches":
      return new RegExp(value).test(text)
    case "notMatches":
      return !new RegExp(value).test(text)
    case "greaterThan":
      return isNumber(text) && Number(text) > Number(value)
    case "lessThanOrEquals":
      return isNumber(text) && Number(text) <= Number(value)
    case "before":
      return Date.parse(text) < Date.parse(value)
    case "after":
      return Date.parse(text) > Date.parse(value)
    case "percentage":
      return (
        Number.parseInt(hash("sha256", `${key}:${text}`).slice(0, 8), 16) < (Number(value) / 100) * 2 ** 32
      )
    default:
      throw new Error(`the tests know no operator ${operator}`)
  }
}

function isNumber(text: string): boolean {
  return /^-?\d+(\.\d+)?$/.test(text)
}
