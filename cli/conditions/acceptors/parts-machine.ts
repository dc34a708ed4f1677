import type { Machine } from "./acceptor.ts"

/** What texts must contain and end with, and what they must not. */
export interface Parts {
  readonly contained: readonly string[]
  readonly suffix: string
  readonly neverContained: readonly string[]
  readonly neverLast: readonly string[]
}

interface Reading {
  readonly node: number
  /** One bit for each part that has come. */
  readonly seen: bigint
}

/** A beginning of some part: the longest one that the text read so far ends with. */
interface Node {
  readonly children: Map<string, number>
  /** The next shorter beginning that the text also ends with. */
  shorter: number
  seen: bigint
  isNever: boolean
  isSuffix: boolean
  isNeverLast: boolean
}

/** Accepts the texts with the wanted parts and without the unwanted ones (Aho and Corasick's automaton). */
export function partsMachine({ contained, suffix, neverContained, neverLast }: Parts): Machine<Reading> {
  const nodes: Node[] = [createNode()]
  const add = (text: string) => {
    let node = 0
    for (let index = 0; index < text.length; index++) {
      const children = nodes[node]?.children
      let child = children?.get(text.charAt(index))
      if (child === undefined) {
        child = nodes.push(createNode()) - 1
        children?.set(text.charAt(index), child)
      }
      node = child
    }
    return nodes[node] as Node
  }
  for (const [index, text] of contained.entries()) add(text).seen |= 1n << BigInt(index)
  for (const text of neverContained) add(text).isNever = true
  for (const text of neverLast) add(text).isNeverLast = true
  add(suffix).isSuffix = true
  const isSuffixEmpty = suffix === ""
  link(nodes)

  const all = (1n << BigInt(contained.length)) - 1n
  return {
    price: 8,
    start: nodes[0]?.isNever ? undefined : { node: 0, seen: nodes[0]?.seen ?? 0n },
    step({ node, seen }, character) {
      const next = follow(nodes, node, character)
      const { isNever = false, seen: more = 0n } = nodes[next] ?? {}
      return isNever ? undefined : { node: next, seen: seen | more }
    },
    accepts: ({ node, seen }) =>
      seen === all && (isSuffixEmpty || nodes[node]?.isSuffix === true) && nodes[node]?.isNeverLast !== true,
    nameOf: ({ node, seen }) => `${node} ${seen}`,
  }
}

function createNode(): Node {
  return { children: new Map(), shorter: 0, seen: 0n, isNever: false, isSuffix: false, isNeverLast: false }
}

/** Gives each node its shorter one, and what that one says. Shorter nodes come first. */
function link(nodes: readonly Node[]): void {
  const order = [0]
  for (const at of order) {
    const node = nodes[at] as Node
    for (const [character, child] of node.children) {
      order.push(child)
      const own = nodes[child] as Node
      own.shorter = at === 0 ? 0 : follow(nodes, node.shorter, character)
      const shorter = nodes[own.shorter] as Node
      own.seen |= shorter.seen
      own.isNever ||= shorter.isNever
      own.isSuffix ||= shorter.isSuffix
      own.isNeverLast ||= shorter.isNeverLast
    }
  }
}

function follow(nodes: readonly Node[], from: number, character: string): number {
  for (let at = from; ; at = nodes[at]?.shorter ?? 0) {
    const child = nodes[at]?.children.get(character)
    if (child !== undefined) return child
    if (at === 0) return 0
  }
}
