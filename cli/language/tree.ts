import type { Json } from "../../sdk/contract/snapshot.ts"
import type { SourceFile, Span } from "../diagnostics/diagnostic.ts"

/** A YAML value with its place. An alias gives the node of its anchor, so trees share nodes. */
export type Node = ScalarNode | SequenceNode | MappingNode

export interface ScalarNode extends Span {
  readonly kind: "scalar"
  readonly value: null | boolean | number | string
  /** Written without quotes, so YAML chose its type. */
  readonly plain: boolean
}

export interface SequenceNode extends Span {
  readonly kind: "sequence"
  readonly items: readonly Node[]
}

export interface MappingNode extends Span {
  readonly kind: "mapping"
  readonly members: readonly Member[]
}

export interface Member {
  readonly name: string
  readonly nameSpan: Span
  readonly value: Node
}

/** A file that was read as YAML. */
export interface ParsedFile {
  readonly source: SourceFile
  readonly root: Node
}

/** The member with a name; `undefined` if there is none. */
export function memberOf(mapping: MappingNode, name: string): Member | undefined {
  if (mapping.members.length < 32) return findMember(mapping.members, name)
  // A hostile file's mapping can have thousands of members, and each is looked up.
  const index = indexes.get(mapping) ?? new Map(mapping.members.map((member) => [member.name, member]))
  indexes.set(mapping, index)
  return index.get(name)
}

/**
 * The same by search. A plain loop, because an iterator allocates and each file is searched about a hundred
 * times.
 */
export function findMember(members: readonly Member[], name: string): Member | undefined {
  for (let at = 0; at < members.length; at++) if (members[at]?.name === name) return members[at]
  return undefined
}

const indexes = new WeakMap<MappingNode, ReadonlyMap<string, Member>>()

/** The node's value. A member named `__proto__` becomes an ordinary own member. */
export function toValue(node: Node): Json {
  switch (node.kind) {
    case "scalar":
      return node.value
    case "sequence":
      return node.items.map(toValue)
    case "mapping":
      return Object.fromEntries(node.members.map((member) => [member.name, toValue(member.value)]))
  }
}

/** The node at a path of names and positions, and its member if it is a mapping's value. */
export function nodeAt(
  root: Node,
  path: readonly string[],
): { readonly node: Node; readonly member: Member | undefined } | undefined {
  let node = root
  let member: Member | undefined
  for (const step of path) {
    if (node.kind === "scalar") return undefined
    member = node.kind === "mapping" ? memberOf(node, step) : undefined
    const next = node.kind === "mapping" ? member?.value : node.items[Number(step)]
    if (next === undefined) return undefined
    node = next
  }
  return { node, member }
}

/** A string and its location. */
export interface Text {
  readonly text: string
  readonly span: Span
}

/** A value's string; `undefined` if it is not a string. */
export function writtenText(value: Node | undefined): Text | undefined {
  return value?.kind === "scalar" && typeof value.value === "string"
    ? { text: value.value, span: value }
    : undefined
}

/** A value as JSON; `null` if the author wrote none. */
export function jsonOf(node: Node | undefined): Json {
  return node === undefined ? null : toValue(node)
}
