import { momentGrammar, parseMoment } from "../../sdk/evaluation/moment.ts"

/**
 * Values next to an operand, and the forms of it that users send but not every tool reads: with a blank or a sign, in capitals
 * or small letters, a date without a time, a version with `v` or with fewer or more numbers.
 */
export function neighboursOf(value: string): readonly unknown[] {
  const moment = momentIn(value)
  if (moment !== undefined) return nearMoment(moment)
  if (value !== "" && Number.isFinite(Number(value))) return nearNumber(Number(value))
  const [, start, last, rest] = /^(v?\d+\.(?:\d+\.)*)(\d+)(.*)$/.exec(value) ?? []
  if (start !== undefined && last !== undefined) return nearVersion(value, start, Number(last), rest ?? "")
  return [`${value}x`, `x${value}`, value.toUpperCase(), value.toLowerCase(), ` ${value}`, `${value} `]
}

/** A moment with a time, in milliseconds. */
function momentIn(text: string): number | undefined {
  return /^\d{4}-\d\d-\d\d[Tt]/.test(text) ? parseMoment(text) : undefined
}

const year = 366 * 24 * 60 * 60 * 1000

function nearMoment(moment: number): readonly string[] {
  const [before, at, after] = [-1, 0, 1].map((offset) => new Date(moment + offset).toISOString())
  const [last = "", next = ""] = [-year, year].map((offset) => new Date(moment + offset).toISOString())
  const dates = [last, next].map((text) => text.slice(0, 10))
  const small = [last, next].map((text) => text.toLowerCase())
  return [before, at, after, ...dates, ...small, ` ${last}`, `${next} `].flatMap((text) => text ?? [])
}

function nearNumber(number: number): readonly unknown[] {
  const [less, more] = [number - 1, number + 1]
  const near = [number, more, less, number + 0.5, String(more), String(less)]
  return [
    ...near,
    `+${Math.abs(more)}`,
    `+${Math.abs(less)}`,
    ` ${less}`,
    `${more} `,
    ` ${number}`,
    `+${number}`,
  ]
}

function nearVersion(version: string, start: string, last: number, rest: string): readonly string[] {
  const [fewer, more] = [start.slice(0, -1), `${start}${last + 1}`]
  const near = [
    `${more}${rest}`,
    `${start}${last}-rc.1`,
    `v${version}`,
    `${start}${last}.0.1`,
    `${start}${last}.0${rest}`,
  ]
  return [
    ...near,
    fewer,
    `v${more}`,
    `0.${start}${last}`,
    `${Number.parseInt(fewer.replace(/^v/, ""), 10) + 1}.0`,
    ` ${version}`,
  ]
}

/** The value converted to other types, and as other tools write it. */
export function twinsOf(value: unknown): readonly unknown[] {
  if (typeof value === "object" && value !== null)
    return [...Object.values(value).flatMap((one) => [one, ...twinsOf(one)]), undefined]
  if (typeof value === "number" || typeof value === "boolean") return [String(value), undefined]
  if (typeof value !== "string") return []
  const text = value.trim()
  const [, version] = /^v?(\d+(?:\.\d+){0,3})(?:[-+.].*)?$/.exec(text) ?? []
  const numbers = [...(version?.split(".") ?? []), "0", "0"].slice(0, 3).map(BigInt)
  const written = text === "" ? undefined : typedText(text)
  const moment = momentGrammar.test(text) ? parseMoment(text) : undefined
  const full = moment === undefined ? [] : [new Date(moment).toISOString()]
  return [text, written, ...full, ...(version ? [numbers.join(".")] : [])].filter((twin) => twin !== value)
}

/** The context; if it has strings that are numbers or booleans, also the context with their values. */
export function withTyped<T extends Readonly<Record<string, unknown>>>(context: T): readonly T[] {
  const typedOf = (value: unknown) => (typeof value === "string" ? typedText(value) : value)
  const typed = Object.entries(context).map(([name, value]) => [name, typedOf(value)] as const)
  const isSame = typed.every(([name, value]) => value === context[name])
  return isSame ? [context] : [context, Object.fromEntries(typed) as T]
}

function typedText(text: string): unknown {
  if (text === "true" || text === "false") return text === "true"
  return text.trim() !== "" && Number.isFinite(Number(text)) ? Number(text) : text
}
