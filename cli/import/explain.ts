import type { Condition } from "../../sdk/evaluation/condition.ts"
import type { Context } from "../../sdk/evaluation/evaluation.ts"
import type { ImportCode } from "../diagnostics/codes.ts"
import { listPhrase, type Phrase, phrase, plainPhrase, uncut } from "../diagnostics/phrase.ts"
import type { Operand } from "../language/operators.ts"
import { type Ingredients, operandKind } from "./contexts.ts"
import { twinsOf } from "./neighbours.ts"
import type { Sides } from "./sides.ts"

/** A code, and the words before the context; for a remark on a list, the attributes. */
export type Cause = readonly [ImportCode, Phrase]

/**
 * The cause of a difference: an attribute of an unexpected type, preferably a known cause or the attribute that was changed;
 * otherwise a missing attribute; otherwise a defect of the import.
 */
export function explain(
  context: Context,
  changed: string,
  { theirs, ours }: Sides,
  from: Pick<Ingredients, "attributes" | "operands" | "isTextual"> & {
    readonly known: ReadonlySet<string>
    /** The comparisons in our rules. */
    readonly comparisons: readonly Condition[]
    /** Whether an attribute may be a list where users send what they should. */
    readonly isList: (name: string) => boolean
  },
): Cause {
  const agree = (other: Context) => {
    const value = theirs(other)
    return value !== undefined && value === ours(other)
  }
  const written = (value: unknown) => (value === undefined || !from.isTextual ? value : String(value))
  const isExpected = (name: string, value: unknown) => {
    const own = from.comparisons.filter(({ attribute }) => attribute === name).map(operandKind)
    const kinds = own.filter((kind) => kind !== "nothing")
    return typeof value === "number" && kinds.length > 0 && kinds.every((kind) => kind === "number")
  }
  const unnamed = (name: string) => {
    const own = from.comparisons.find(({ attribute }) => attribute === name)
    return ofKind.get(own && operandKind(own)) ?? "text"
  }
  const twins = (name: string, of = context) =>
    isExpected(name, of[name]) ? [] : twinsOf(of[name]).map(written)
  const isStrayList = (name: string) => Array.isArray(context[name]) && !from.isList(name)
  const mistyped = (...names: readonly string[]): Cause =>
    names.every(isStrayList)
      ? ["import-remark", listPhrase(names)]
      : ["import-context-mistyped", phrase`an unexpected ${listPhrase(names)}, such as`]
  const names = Object.keys(context).sort((a, b) => Number(b === changed) - Number(a === changed))
  // Leaving an attribute out changes more than changing its type.
  const causes = [false, true].flatMap((isGone) =>
    names.filter((name) =>
      twins(name)
        .filter((twin) => (twin === undefined && context[name] !== "") === isGone)
        .some((twin) => agree({ ...context, [name]: twin })),
    ),
  )
  const cause = causes.find((name) => from.known.has(causeName(mistyped(name)))) ?? causes[0]
  if (cause !== undefined) return mistyped(cause)
  const otherType = (name: string) => {
    const found = twins(name)
    return found.find((twin) => twin !== undefined && typeof twin !== "string") ?? found[0] ?? context[name]
  }
  if (agree(Object.fromEntries(names.map((name) => [name, otherType(name)]))))
    return mistyped(...names.filter((name) => otherType(name) !== context[name]))
  // One attribute may be missing while another has an unexpected type.
  const nearlyAgree = (other: Context) =>
    agree(other) || names.some((name) => twins(name, other).some((twin) => agree({ ...other, [name]: twin })))
  const isEmpty = (value: unknown) => value === undefined || value === "" || typeof value === "object"
  const missing = [...from.attributes.keys()].filter((name) => isEmpty(context[name]))
  // Nothing missing is to blame if the sides differ for users who have all attributes, too, each of its type.
  const isTyped = names.every((name) => twins(name).length === 0)
  const wholes = [unnamed, () => "text", () => false].map((filling) => {
    return { ...context, ...Object.fromEntries(missing.map((name) => [name, written(filling(name))])) }
  })
  if (isTyped && wholes.every((whole) => theirs(whole) !== undefined && !nearlyAgree(whole))) return disproved
  for (const name of missing) {
    const values = ["text", ...from.operands].slice(0, 20).map(written)
    if (values.some((value) => nearlyAgree({ ...context, [name]: value })))
      return context[name] === undefined
        ? ["import-context-missing", phrase`no ${name}, such as`]
        : mistyped(name)
  }
  return disproved
}

const disproved: Cause = ["import-disproved", phrase`a different value for`]

/** Values that rules compare but hardly name, by the form of their operands. */
const ofKind = new Map<Operand | undefined, unknown>([
  ["number", -1],
  ["version", "0.0.1"],
  ["date", "1970-01-02T00:00:00Z"],
])

/** Names a cause among those of a configuration. */
export function causeName([code, what]: Cause): string {
  return `${code} ${plainPhrase(uncut(what))}`
}
