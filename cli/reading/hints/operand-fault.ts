import { parseMoment } from "../../../sdk/evaluation/moment.ts"
import { parseTexts } from "../../../sdk/evaluation/text-lists.ts"
import type { Span } from "../../diagnostics/diagnostic.ts"
import type { Operand, OperandForm } from "../../language/operators.ts"
import { longestGuess } from "../../yaml/longest-guess.ts"
import { canRead, formWords, isReadable, operandForms } from "../grammar/operand.ts"
import { expressionFault } from "./expression-fault.ts"

/** Why no evaluator can read an operand. */
export interface OperandFault {
  readonly code: "bad-operand" | "expression-too-large"
  /** The end of "The value …", without a full stop. */
  readonly message: string
  /** The part of the text that is wrong; `undefined`: all of it. */
  readonly part: Span | undefined
  /** The text that was meant, if it is certain. */
  readonly meant: string | undefined
}

/** What is wrong with what is sent for a rule's `value`; `undefined` if an evaluator can read it. */
export function operandFault(form: OperandForm, text: string): OperandFault | undefined {
  const { operand, takesList } = form
  if (takesList) {
    if (canRead(form, text)) return undefined
    return { code: "bad-operand", message: listAdvice(form, text), part: undefined, meant: undefined }
  }
  if (operand === "expression") {
    const fault = expressionFault(text)
    if (fault === undefined) return undefined
    const { part, isTooLarge } = fault
    const message = `${operandForms.expression}${fault.message}`
    return { code: isTooLarge ? "expression-too-large" : "bad-operand", message, part, meant: undefined }
  }
  if (isReadable(operand, text)) return undefined
  const meant = meantBy(operand, text)
  const message = adviceOf(operand, text, meant)
  return { code: "bad-operand", message, part: undefined, meant }
}

/** The text without what other tools allow: blanks, a percent sign, `x` for the rest of a version. */
function meantBy(operand: Operand, text: string): string | undefined {
  if (text.length > longestGuess) return undefined
  const trimmed = text.trim()
  if (operand === "number" || operand === "percent") {
    const point = trimmed.replace(/^(-?\d+),(?!\d{3}$)(\d+)(\s*%)?$/, "$1.$2")
    if (isReadable(operand, point)) return point
  }
  const candidate =
    operand === "percent"
      ? trimmed.replace(/\s*%$/, "")
      : operand === "version"
        ? trimmed.replace(/^V/, "v").replace(/(\.[xX])+$/, ".*")
        : operand === "date"
          ? (unixMoment(trimmed) ?? dayMeant(trimmed) ?? trimmed)
          : trimmed
  return candidate !== text && isReadable(operand, candidate) ? candidate : undefined
}

/** The moment of a Unix time in seconds or milliseconds, from 2001 to 2286; `undefined` if the text is none. */
export function unixMoment(text: string): string | undefined {
  if (!/^[1-9](\d{9}|\d{12})$/.test(text)) return undefined
  const moment = new Date(text.length === 10 ? Number(text) * 1_000 : Number(text))
  return moment.toISOString().replace(".000Z", "Z")
}

/** The day of `31.12.2026`, `12/31/2026`, `2026.12.31` or `2026/12/31` as RFC 3339 writes it; `undefined` if it is not certain. */
export function dayMeant(text: string): string | undefined {
  const [, first = "", second = "", last] = /^(\d\d?)\/(\d\d?)\/(\d{4})$/.exec(text) ?? []
  // A number above 12 must be the day; without one, the order is not certain.
  if (Number(first) > 12 !== Number(second) > 12)
    return dayMeant(Number(first) > 12 ? `${first}.${second}.${last}` : `${second}.${first}.${last}`)
  const [, ...parts] =
    /^(\d\d?)\.(\d\d?)\.(\d{4})$/.exec(text) ?? /^(\d{4})[./](\d\d?)[./](\d\d?)$/.exec(text) ?? []
  const [year = "", month = "", day = ""] = /^\d{4}/.test(text) ? parts : parts.toReversed()
  const iso = [year, month.padStart(2, "0"), day.padStart(2, "0")].join("-")
  return isReadable("date", iso) ? iso : undefined
}

function adviceOf(operand: Operand, text: string, meant: string | undefined): string {
  const form = operandForms[operand]
  if (meant !== undefined) return `${form}. Write "${meant}"`
  if (operand === "date") return zoneAdvice(text) ?? `${form}${dayAdvice(text)}`
  return form
}

function listAdvice(form: OperandForm, text: string): string {
  if (parseTexts(text) !== undefined) return formWords(form)
  return /^\S+\.(txt|csv)$/.test(text)
    ? `must be a list of strings. For a file with one value a line, write \`value: { file: ${text.replace(/csv$/, "txt")} }\``
    : `must be a list of strings, such as ${listExample(text)}`
}

/** What is wrong with a date in figures whose order is not certain, or that no calendar has; "" for anything else. */
export function dayAdvice(text: string): string {
  const [, first = "", second = "", year] = /^(\d\d?)\/(\d\d?)\/(\d{4})$/.exec(text.trim()) ?? []
  const [a, b] = [first.padStart(2, "0"), second.padStart(2, "0")]
  if (year !== undefined && [a, b].every((part) => part !== "00" && Number(part) <= 12))
    return `. Write "${year}-${a}-${b}" or "${year}-${b}-${a}"`
  const [, none] = /^\d{4}-(\d\d)-\d\d(?!\d)/.exec(text) ?? []
  if (none !== undefined && (none === "00" || none > "12")) return `; there is no month ${none}`
  const [, month, day = ""] = /^(\d{4}-(?:0[1-9]|1[0-2]))-(\d\d)(?![\d])/.exec(text) ?? []
  const last = ["31", "30", "29", "28"].find((end) => isReadable("date", `${month}-${end}`))
  return last === undefined || day <= last ? "" : `; ${month} has ${last} days`
}

/** A time without a zone is a different moment in every zone. `undefined` for anything else. */
function zoneAdvice(text: string): string | undefined {
  const [, day, time, seconds = ":00"] =
    /^(\d{4}-\d{2}-\d{2})[Tt ](\d{2}:\d{2})(:\d{2}(?:\.\d+)?)?$/.exec(text) ?? []
  const inUtc = `${day}T${time}${seconds}Z`
  return parseMoment(inUtc) === undefined
    ? undefined
    : `must have a time zone: write "${inUtc}" for UTC, or an offset such as +01:00 instead of the Z`
}

/** The author's own text as a list, if it is short. */
function listExample(text: string): string {
  const items = text.split(",").map((item) => item.trim())
  return text === "" || text.length > 60 || /["[\]]/.test(text)
    ? '["a", "b"]'
    : `[${items.map((item) => `"${item}"`).join(", ")}]`
}
