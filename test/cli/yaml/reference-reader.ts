import {
  type Alias,
  isAlias,
  isScalar,
  isSeq,
  type Pair,
  type ParsedNode,
  parseAllDocuments,
  Scalar,
} from "yaml"
import type { Member, Node, ScalarNode } from "../../../cli/language/tree.ts"

/**
 * What a string means to the yaml package, with the places that `parseSource` promises. `undefined` if the package
 * refuses it, or Flagstone does: merge keys, tags, directives, several documents.
 */
export function readWithYaml(text: string): Node | undefined {
  const documents = parseAllDocuments(text, { prettyErrors: false, uniqueKeys: false, merge: false })
  const [document] = documents
  if (document === undefined || !("contents" in document) || document.contents === null) return undefined
  if (documents.length > 1 || documents.some(({ errors }) => errors.length > 0)) return undefined
  const { contents } = document
  if (/^%/m.test(text.slice(0, contents.range[0])) || isNothing(contents)) return undefined
  return createConverter(text)(contents, 0).node
}

/** A value, and where it ends in the source; an alias does not end where the value that it names does. */
interface Converted {
  readonly node: Node | undefined
  readonly end: number
}

function createConverter(text: string) {
  const anchors = new Map<string, Node | undefined>()

  function convert(node: ParsedNode, depth: number): Converted {
    if (isAlias(node)) return { node: anchors.get((node as Alias.Parsed).source), end: node.range[1] }
    if (node.anchor !== undefined) anchors.delete(node.anchor)
    const content =
      node.tag === undefined ? convertContent(node, depth) : { node: undefined, end: node.range[1] }
    const result = depth > 64 ? undefined : content.node
    if (node.anchor !== undefined) anchors.set(node.anchor, result)
    return { node: result, end: content.end }
  }

  function convertContent(node: Exclude<ParsedNode, Alias>, depth: number): Converted {
    const [start, end] = node.range
    if (isScalar(node)) {
      const isBlock = /^BLOCK/.test(node.type ?? "")
      const visible = isBlock ? start + text.slice(start, end).replace(/[ \t\r\n]+$/, "").length : end
      const value = node.value as ScalarNode["value"]
      return {
        node: { kind: "scalar", value, plain: node.type === Scalar.PLAIN, start, end: visible },
        end: visible,
      }
    }
    const hasBrackets = node.flow === true && /[\]}]/.test(text[end - 1] ?? "")
    const lastOf = (parts: readonly { readonly end: number }[]) =>
      hasBrackets ? end : (parts.at(-1)?.end ?? end)
    if (isSeq(node)) {
      const items = node.items.map((item) => convert(item as ParsedNode, depth + 1))
      const nodes = items.flatMap(({ node }) => node ?? [])
      const isWhole = nodes.length === items.length
      const last = lastOf(items)
      return { node: isWhole ? { kind: "sequence", items: nodes, start, end: last } : undefined, end: last }
    }
    const pairs = node.items as Pair<ParsedNode, ParsedNode | null>[]
    const converted = pairs.map((pair) => convertPair(pair, depth))
    const members = converted.flatMap(({ member }) => member ?? [])
    const last = lastOf(converted)
    if (members.length < converted.length) return { node: undefined, end: last }
    const first = new Map(members.toReversed().map((member) => [member.name, member]))
    const unique = members.filter((member) => first.get(member.name) === member)
    const place = { start: hasBrackets ? start : Math.min(start, anchorBefore(pairs[0]?.key)), end: last }
    return { node: { kind: "mapping", members: unique, ...place }, end: last }
  }

  /** A mapping without braces begins with its first name, or that name's anchor. */
  function anchorBefore(key: ParsedNode | undefined): number {
    const isNamed = isScalar(key) && key.anchor !== undefined
    return isNamed ? text.lastIndexOf(`&${key.anchor}`, key.range[0]) : Number.POSITIVE_INFINITY
  }

  function convertPair({ key, value }: Pair<ParsedNode, ParsedNode | null>, depth: number) {
    const name = isScalar(key) ? convert(key, depth) : { node: undefined, end: key.range[1] }
    const written = value === null ? { node: nothingAt(name.end), end: name.end } : convert(value, depth + 1)
    const isRefused = !isScalar(key) || isNothing(key) || (key.type === Scalar.PLAIN && key.source === "<<")
    if (isRefused || name.node === undefined || written.node === undefined)
      return { member: undefined, end: written.end }
    const nameSpan = { start: name.node.start, end: name.end }
    const text = String(key.type === Scalar.PLAIN ? key.source : key.value)
    const member: Member = { name: text, nameSpan, value: written.node }
    return { member, end: written.end }
  }

  return convert
}

/** What the package finds between two marks with nothing between them. */
function isNothing(node: ParsedNode): boolean {
  return isScalar(node) && node.range[0] === node.range[1]
}

function nothingAt(offset: number): Node {
  return { kind: "scalar", value: null, plain: true, start: offset, end: offset }
}
