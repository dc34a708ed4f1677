import type { Node } from "../yaml/tree.ts"
import { parseDate } from "./date.ts"
import type { Operand } from "./operators.ts"

/**
 * An operand as it is sent: text as it is, a list as a JSON array in a string, no operand as `""`.
 * The value must have passed the check of operands.
 */
export function operandText(value: Node | undefined): string {
  if (value === undefined || value.kind === "mapping") return ""
  if (value.kind === "scalar") return String(value.value ?? "")
  return JSON.stringify(value.items.map(operandText))
}

/** What is wrong with an operand's text, as the end of "The value …"; `undefined` where nothing is. */
export function operandFault(operand: Operand, text: string): string | undefined {
  switch (operand) {
    case "expression":
      return expressionFault(text)
    case "number":
      return decimal.test(text) ? undefined : 'must be a decimal number, such as "42" or "0.5"'
    case "version":
      return version.test(text)
        ? undefined
        : `must be a version: dotted numbers, such as "1.10" or "2.*"${versionFix(text)}`
    case "date":
      return parseDate(text) !== undefined
        ? undefined
        : (zoneFault(text) ?? 'must be an RFC 3339 date, such as "2026-11-21" or "2026-11-21T10:00:00Z"')
    case "percentage":
      return decimal.test(text) && Number(text) >= 0 && Number(text) <= 100
        ? undefined
        : `must be a percentage from "0" to "100"${/^\d+(\.\d+)?\s*%$/.test(text) ? ", without the sign" : ""}`
    case "list":
      if (text === "[]") return "must have at least one item: no text is in an empty list"
      return isList(text) ? undefined : `must be a list of texts, such as ${listExample(text)}`
    case "text":
    case "none":
      return undefined
  }
}

const decimal = /^-?\d+(\.\d+)?$/
/** Dotted numbers, the last of which may be `*`, with the pre-release and build of semver.org 2.0.0 if wanted. */
const version = /^\d+(\.\d+)*(\.\*)?(-[0-9A-Za-z-]+(\.[0-9A-Za-z-]+)*)?(\+[0-9A-Za-z-]+(\.[0-9A-Za-z-]+)*)?$/

/** What a JSON Schema can express about an operand's text; `undefined` where any text is allowed. */
export const operandPatterns: Readonly<Record<Operand, { readonly pattern: string } | undefined>> = {
  none: undefined,
  text: undefined,
  list: undefined,
  expression: undefined,
  number: { pattern: decimal.source },
  version: { pattern: version.source },
  date: {
    pattern: "^\\d{4}-\\d{2}-\\d{2}([Tt]\\d{2}:\\d{2}:\\d{2}(\\.\\d+)?([Zz]|[+-]\\d{2}:\\d{2}))?$",
  },
  percentage: { pattern: "^0*(100(\\.0+)?|\\d{1,2}(\\.\\d+)?)$" },
}

/** `v1.2` and `1.x` are what people write elsewhere. */
function versionFix(text: string): string {
  if (/^v\d/i.test(text)) return "; remove the `v`"
  return /^\d+(\.\d+)*\.[xX]$/.test(text) ? "; write `*` for the `x`" : ""
}

/** Without a zone a time is another moment in every place. `undefined` for what is not a time without one. */
function zoneFault(text: string): string | undefined {
  const [, day, time, seconds = ":00"] =
    /^(\d{4}-\d{2}-\d{2})[Tt ](\d{2}:\d{2})(:\d{2}(?:\.\d+)?)?$/.exec(text) ?? []
  const inUtc = `${day}T${time}${seconds}Z`
  return parseDate(inUtc) === undefined
    ? undefined
    : `must have a time zone: write "${inUtc}" for UTC, or an offset such as +01:00 in place of the Z`
}

/** The author's own text as a list, where it is short. */
function listExample(text: string): string {
  const items = text.split(",").map((item) => item.trim())
  return text === "" || text.length > 60 || /["[\]]/.test(text)
    ? '["a", "b"]'
    : `[${items.map((item) => `"${item}"`).join(", ")}]`
}

function expressionFault(text: string): string | undefined {
  try {
    new RegExp(text)
    return undefined
  } catch (error) {
    return `must be a regular expression: ${(error as Error).message.replace(/^Invalid regular expression: .*\/[a-z]*: /s, "").toLowerCase()}`
  }
}

function isList(text: string): boolean {
  try {
    const items: unknown = JSON.parse(text)
    return Array.isArray(items) && items.length > 0 && items.every((item) => typeof item === "string")
  } catch {
    return false
  }
}
