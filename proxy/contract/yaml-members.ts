import { isAlias, isMap, isScalar, type Node } from "yaml"

/**
 * Reports a mistake at an offset of the text; `first` is the offset of the first of two members that conflict. The
 * sentence must not quote the text, which may hold a secret.
 */
export type Complain = (offset: number, sentence: string, first?: number) => void

/** A value and the offset where it is written. */
export interface Placed<T> {
  readonly value: T
  readonly offset: number
}

/** What a mapping may have under one name. `read` reports a mistake and returns `undefined` if the value is wrong. */
export interface MemberReader<T> {
  readonly required: boolean
  readonly read: (node: Node, complain: Complain) => T | undefined
}

/** One reader for each member of `T`. */
export type MemberReaders<T> = { readonly [Name in keyof T]-?: MemberReader<Exclude<T[Name], undefined>> }

/** The members of `T` that are present and valid. */
export type Found<T> = { readonly [Name in keyof T]?: Placed<Exclude<T[Name], undefined>> }

/**
 * Reads a mapping that may have these members, each once, and no others. Aliases are refused, so that nothing is
 * expanded. A member that is missing from the result has a mistake, which is reported, or is optional and absent.
 */
export function readMembers<T>(node: Node, members: MemberReaders<T>, complain: Complain): Found<T> {
  const readers = new Map(Object.entries<MemberReader<unknown>>(members))
  const known = [...readers.keys()].join(", ")
  if (!isMap<Node, Node | null>(node)) {
    complain(offsetOf(node), `this must be a mapping of ${known}`)
    return {}
  }
  const found: Record<string, Placed<unknown>> = {}
  const seen = new Map<string, number>()
  for (const { key, value } of node.items) {
    const name = isScalar(key) && typeof key.value === "string" ? key.value : undefined
    const member = name === undefined ? undefined : readers.get(name)
    if (name === undefined || member === undefined) {
      complain(offsetOf(key), `unknown field; only ${known} are allowed here`)
      continue
    }
    if (seen.has(name)) {
      complain(offsetOf(key), `\`${name}\` is written twice; remove one`, seen.get(name))
      continue
    }
    seen.set(name, offsetOf(key))
    if (value === null || isAlias(value)) {
      complain(offsetOf(key), `\`${name}\` has no value here; write one`)
      continue
    }
    const read = member.read(value, complain)
    if (read !== undefined) found[name] = { value: read, offset: offsetOf(key) }
  }
  for (const [name, member] of readers) {
    if (member.required && !seen.has(name)) complain(offsetOf(node), `\`${name}\` is missing`)
  }
  return found as Found<T>
}

/** Reads a scalar; `narrow` returns `undefined` for a wrong value, and `sentence` says why. */
export function scalar<T>(
  sentence: string,
  narrow: (value: unknown) => T | undefined,
): MemberReader<T>["read"] {
  return (node, complain) => {
    const value = isScalar(node) ? narrow(node.value) : undefined
    if (value === undefined) complain(offsetOf(node), sentence)
    return value
  }
}

/** Where a node begins. */
export function offsetOf(node: Node): number {
  return node.range?.[0] ?? 0
}
