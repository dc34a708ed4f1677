import { isAlias, isMap, isScalar, type Node } from "yaml"

/**
 * Notes a mistake at an offset of the text and, where it takes two places to make it, that of the first.
 * The sentence must not repeat the text, which may hold a secret.
 */
export type Complain = (offset: number, sentence: string, first?: number) => void

/** A value and the offset where it is written. */
export interface Placed<T> {
  readonly value: T
  readonly offset: number
}

/** What a mapping may hold under one name. `read` complains and gives `undefined` when the value will not do. */
export interface Member<T> {
  readonly required: boolean
  readonly read: (node: Node, complain: Complain) => T | undefined
}

/** One `Member` for each member of `T`. */
export type Members<T> = { readonly [Name in keyof T]-?: Member<Exclude<T[Name], undefined>> }

/** The members of `T` that were written and will do. */
export type Found<T> = { readonly [Name in keyof T]?: Placed<Exclude<T[Name], undefined>> }

/**
 * Reads a mapping that may hold these members, each once, and nothing else; aliases are refused, so there is nothing
 * to expand. What is missing from the answer has been complained about, unless it was optional and not written.
 */
export function readMembers<T>(node: Node, members: Members<T>, complain: Complain): Found<T> {
  const laws = new Map(Object.entries<Member<unknown>>(members))
  const known = [...laws.keys()].join(", ")
  if (!isMap<Node, Node | null>(node)) {
    complain(offsetOf(node), `this must be a mapping of ${known}`)
    return {}
  }
  const found: Record<string, Placed<unknown>> = {}
  const seen = new Map<string, number>()
  for (const { key, value } of node.items) {
    const name = isScalar(key) && typeof key.value === "string" ? key.value : undefined
    const law = name === undefined ? undefined : laws.get(name)
    if (name === undefined || law === undefined) {
      complain(offsetOf(key), `unknown member; only ${known} can stand here`)
      continue
    }
    if (seen.has(name)) {
      complain(offsetOf(key), `\`${name}\` is written twice; remove one`, seen.get(name))
      continue
    }
    seen.set(name, offsetOf(key))
    if (value === null || isAlias(value)) {
      complain(offsetOf(key), `\`${name}\` has no value of its own; write it here`)
      continue
    }
    const read = law.read(value, complain)
    if (read !== undefined) found[name] = { value: read, offset: offsetOf(key) }
  }
  for (const [name, law] of laws) {
    if (law.required && !seen.has(name)) complain(offsetOf(node), `\`${name}\` is missing`)
  }
  return found as Found<T>
}

/** Reads a scalar; `narrow` gives `undefined` for a value against the law, which is the sentence to complain with. */
export function scalar<T>(law: string, narrow: (value: unknown) => T | undefined): Member<T>["read"] {
  return (node, complain) => {
    const value = isScalar(node) ? narrow(node.value) : undefined
    if (value === undefined) complain(offsetOf(node), law)
    return value
  }
}

/** Where a node begins. */
export function offsetOf(node: Node): number {
  return node.range?.[0] ?? 0
}
