import type { Condition } from "../../sdk/evaluation/condition.ts"
import type { Context } from "../../sdk/evaluation/evaluation.ts"
import { textsOf } from "../language/comparisons.ts"
import { type Operand, operatorOf, operators } from "../language/operators.ts"
import { items, membersOf, type Node } from "./form/tree.ts"
import { neighboursOf } from "./neighbours.ts"

const mostBases = 10
/** A list is printed if the sides differ for it. */
const mostListed = 20

/** What the contexts of a proof are made of. */
export interface Ingredients {
  /** Attributes that the tool requires, with their values. */
  readonly required: Context
  /** Contexts that reach each of our rules. */
  readonly witnesses: readonly Context[]
  /** The attributes that either side reads, with the operands of our rules. */
  readonly attributes: ReadonlyMap<string, readonly string[]>
  /** Strings, numbers and booleans in the source. */
  readonly operands: readonly unknown[]
  /** Whether all values are strings. */
  readonly isTextual: boolean
  /** Approximately how many contexts to make. */
  readonly most: number
}

/** A context, and the attribute in which it differs from a witness; "" for the witness itself. */
export interface Variant {
  readonly context: Context
  readonly changed: string
}

/** Witnesses with one attribute missing, empty, near or equal to an operand, a list, an object, or of a different type. */
export function contextsFor(ingredients: Ingredients): readonly Variant[] {
  const { required, witnesses, attributes, most } = ingredients
  const bases = few(witnesses, Math.min(mostBases, most >> 3)).map((one) => ({
    ...required,
    ...one,
  }))
  const near = Math.max(3, Math.floor(most / ((bases.length + 1) * attributes.size)))
  const values = [...attributes].map(([name, own]) => [name, valuesFor(own, ingredients, near)] as const)
  // With all attributes present, only the changed one can cause a difference.
  const first = values.map(([name, [first]]) => [name, first])
  const last = bases.at(-1) ?? required
  const all = [...bases, { ...last, ...Object.fromEntries(first), ...last }]
  const changes: { readonly base: Context; readonly name: string; readonly value: unknown }[] = []
  for (const [at, base] of all.entries()) {
    const isTried = (name: string) => all.slice(0, at).some((one) => differAtMostIn(name, one, base))
    if (!isTried("")) changes.push({ base, name: "", value: base[""] })
    for (const [name, some] of values) {
      if (isTried(name)) continue
      for (const value of [undefined, ...some]) if (value !== base[name]) changes.push({ base, name, value })
    }
  }
  return spread(changes, most).map(({ base, name, value }) => {
    if (value !== undefined) return { context: { ...base, [name]: value }, changed: name }
    const { [name]: _, ...context } = base
    return { context, changed: name }
  })
}

/** Whether two contexts differ at most in one attribute. */
function differAtMostIn(except: string, a: Context, b: Context): boolean {
  for (const name in a) if (name !== except && a[name] !== b[name]) return false
  for (const name in b) if (name !== except && !Object.hasOwn(a, name)) return false
  return true
}

function valuesFor(
  own: readonly string[],
  { operands, isTextual }: Ingredients,
  most: number,
): readonly unknown[] {
  const [first = "text"] = own
  const every = few(operands, mostListed)
  const odd = isTextual
    ? [""]
    : ["", "text", 1, 0, true, [], [first], [`x${first}`], [first, "zz"], every, { id: first }]
  const all = [...nearby(own, most), ...odd, ...few(operands, Math.max(4, most))]
  return few([...new Set(isTextual ? all.map(String) : all)], 2 * most)
}

/** Values and their neighbours. Where only some neighbours fit, each value gets different ones than the value before it. */
function nearby(values: readonly string[], most: number): readonly unknown[] {
  const some = few(values, Math.ceil(most / 2))
  const each = Math.max(1, Math.floor(most / some.length) - 1)
  return some.flatMap((one, index) => {
    const neighbours = neighboursOf(one)
    const from = index % neighbours.length
    return [one, ...[...neighbours, ...neighbours].slice(from, from + Math.min(each, neighbours.length))]
  })
}

/** Items from everywhere, but in no rhythm: else all bases would lose the same values. */
function spread<T>(all: readonly T[], most: number): readonly T[] {
  if (all.length <= most) return all
  const golden = 0.618_033_988_75
  return Array.from({ length: most }, (_, index) => {
    const within = (index * golden) % 1
    return all[Math.floor(((index + within) * all.length) / most)] as T
  })
}

/** Evenly spaced items, always with the first. */
function few<T>(all: readonly T[], most: number): readonly T[] {
  if (all.length <= most) return all
  const found: T[] = [] // a loop, because `Array.from` is ten times as slow
  for (let index = 0; index < most; index++) found.push(all[Math.floor((index * all.length) / most)] as T)
  return found
}

/** The form of a comparison's operand; `undefined` for a share's. */
export function operandKind({ operator }: Condition): Operand | undefined {
  return operators.get(operatorOf(operator)?.name ?? "")?.operand
}

/** The values that a comparison names; for a regular expression, its text without syntax. */
export function operandsOf(comparison: Condition): readonly string[] {
  const kind = operandKind(comparison)
  if (kind === "expression")
    return [comparison.value.replace(/\(\?\w+\)|[$^]|\\(.)|\[(.)[^\]]*(?:\]|$)/gu, "$1$2")]
  return kind === undefined ? [] : textsOf(comparison)
}

/** The strings, numbers and booleans below nodes; a string with commas also gives its items. */
export function operandsIn(...nodes: readonly Node[]): readonly unknown[] {
  const found = new Set<unknown>()
  const left = new Set(nodes)
  const visit = (one: Node): void => {
    left.delete(one)
    for (const part of membersOf(one) ?? items(one)) visit(part)
    if (typeof one.value === "object" || found.size > 200) return
    if (String(one.value).length < 200) found.add(one.value)
    if (typeof one.value !== "string" || !/[\s,"]/.test(one.value)) return
    for (const part of [...one.value.split(","), ...quotedIn(one.value)])
      if (part.trim().length < 200) found.add(part.trim())
  }
  for (const one of left) visit(one) // one that is part of another is visited once
  return [...found]
}

/** The quoted strings in a query. */
function quotedIn(text: string): readonly string[] {
  if (!text.includes('"')) return []
  return [...text.matchAll(/"([^"]*)"/g)].flatMap(([, quoted]) => quoted ?? [])
}
