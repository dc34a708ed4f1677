import {
  type Alias,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  type Pair,
  type ParsedNode,
  parseAllDocuments,
  Scalar,
  type Node as YamlNode,
} from "yaml"
import type { Code } from "../diagnostics/codes.ts"
import type { Report, Source, Span } from "../diagnostics/diagnostic.ts"
import { readPlainYaml } from "./plain-yaml.ts"
import type { Member, Node, ParsedFile } from "./tree.ts"

/** Deeper values are refused: every reader of a snapshot has a stack, too. */
const maxDepth = 64
/** Aliases can make a short text stand for billions of values ("billion laughs"); all of them together are counted. */
const maxNodes = 20_000

/**
 * The file's YAML 1.2 as a tree of values with places. A file that is no YAML, or whose meaning is in doubt (merge
 * keys, unresolved aliases), gives diagnostics and an empty list, so that no later stage complains of the same thing.
 */
export function parseSource(source: Source, report: Report): readonly ParsedFile[] {
  const plain = readPlainYaml(source.text)
  return plain === undefined ? parseWithYaml(source, report) : [{ source, root: plain }]
}

/** The same for any text, and many times slower: by the yaml package. */
export function parseWithYaml(source: Source, report: Report): readonly ParsedFile[] {
  const documents = parseAllDocuments(source.text, { prettyErrors: false, uniqueKeys: false, merge: false })
  const add: Add = (code, message, span, first) =>
    report.add({
      code,
      message,
      source,
      span,
      related: first === undefined ? [] : [{ message: "The first is here.", place: { source, span: first } }],
    })
  const [first, second] = documents
  const syntax = documents.flatMap((document) => document.errors)[0]
  if (syntax !== undefined) {
    const [start, end] = syntax.pos
    if (/call stack/.test(syntax.message)) add("too-deep", tooDeep, { start: 0, end: 0 })
    else add("syntax", `${syntax.message}.`.replace(/\.\.$/, "."), { start, end })
    return []
  }
  if (first === undefined || !("contents" in first) || first.contents === null) {
    add("empty-file", "The file is empty. Write its members, or remove it.", { start: 0, end: 0 })
    return []
  }
  if (second !== undefined) {
    const start = second.range[0]
    add("several-documents", "A file holds one flag. Move what follows `---` to a file of its own.", {
      start: Math.max(0, source.text.lastIndexOf("---", start)),
      end: start,
    })
    return []
  }
  if (first.directives?.yaml.explicit === true) {
    add("yaml-directive", "Remove the `%YAML` line: flag files are YAML 1.2.", { start: 0, end: 5 })
    return []
  }
  const root = createConverter(add, source.text).convert(first.contents)
  return root === undefined ? [] : [{ source, root }]
}

const tooDeep = `Values are nested more than ${maxDepth} deep.`

type Add = (code: Code, message: string, span: Span, first?: Span) => void

/** `convert` gives `undefined`, after a diagnostic, for a value whose meaning is in doubt. */
function createConverter(add: Add, text: string) {
  const anchors = new Map<string, { readonly node: Node; readonly size: number } | "open">()
  let nodes = 0

  function convert(node: ParsedNode, depth = 0): Node | undefined {
    if (isAlias(node)) return follow(node)
    const span = spanOf(node)
    if (depth > maxDepth) return refuse("too-deep", tooDeep, span)
    if (!spend(1, span)) return undefined
    if (node.tag !== undefined) {
      add(
        "explicit-tag",
        `Remove the tag \`${node.tag}\`: a value's type follows from how it is written.`,
        span,
      )
    }
    if (node.anchor === undefined) return plain(node, span, depth)
    const before = nodes
    anchors.set(node.anchor, "open")
    const result = plain(node, span, depth)
    if (result !== undefined) anchors.set(node.anchor, { node: result, size: nodes - before + 1 })
    return result
  }

  function follow(alias: Alias.Parsed): Node | undefined {
    const span = spanOf(alias)
    const target = anchors.get(alias.source)
    if (target === undefined)
      return refuse("unresolved-alias", `No anchor \`&${alias.source}\` stands before this.`, span)
    if (target === "open")
      return refuse("alias-cycle", `\`*${alias.source}\` lies within the value that it names.`, span)
    return spend(target.size, span) ? target.node : undefined
  }

  function spend(size: number, span: Span): boolean {
    const exhausted = nodes > maxNodes
    nodes += size
    if (nodes > maxNodes && !exhausted) {
      add("too-many-nodes", `With its aliases written out, the file has more than ${maxNodes} values.`, span)
    }
    return nodes <= maxNodes
  }

  function plain(node: Exclude<ParsedNode, Alias>, span: Span, depth: number): Node | undefined {
    if (isScalar(node)) return scalar(node, span)
    if (isSeq(node)) {
      const items = node.items
        .map((item) => convert(item as ParsedNode, depth + 1))
        .filter((item) => item !== undefined)
      return items.length < node.items.length ? undefined : { kind: "sequence", items, ...span }
    }
    return isMap(node) ? mapping(node.items as Pair<ParsedNode, ParsedNode | null>[], span, depth) : undefined
  }

  function mapping(
    pairs: readonly Pair<ParsedNode, ParsedNode | null>[],
    span: Span,
    depth: number,
  ): Node | undefined {
    const members: Member[] = []
    const seen = new Map<string, Member>()
    let whole = true
    for (const { key, value } of pairs) {
      if (!isScalar(key)) {
        whole = refuse("complex-key", "A member's name is plain text.", spanOf(key)) !== undefined
        continue
      }
      const nameSpan = spanOf(key)
      const name = key.type === Scalar.PLAIN ? text.slice(nameSpan.start, nameSpan.end) : String(key.value)
      if (name === "<<" && key.type === Scalar.PLAIN) {
        whole = refuse("merge-key", "Merge keys are not read. Write the members out.", nameSpan) !== undefined
        continue
      }
      const empty: Node = { kind: "scalar", value: null, plain: true, start: nameSpan.end, end: nameSpan.end }
      const converted = value === null ? empty : convert(value, depth + 1)
      if (converted === undefined) {
        whole = false
        continue
      }
      const member = { name, nameSpan, value: converted }
      const first = seen.get(name)
      if (first === undefined) {
        members.push(member)
        seen.set(name, member)
      } else {
        add("duplicate-member", `\`${name}\` is here twice. Remove one of them.`, nameSpan, first.nameSpan)
      }
    }
    return whole ? { kind: "mapping", members, ...span } : undefined
  }

  function scalar(node: Scalar.Parsed, span: Span): Node {
    const value: unknown = node.value
    const isPlain = node.type === Scalar.PLAIN
    const base = { kind: "scalar", plain: isPlain, ...span } as const
    if (typeof value !== "number") return { ...base, value: value as null | boolean | string }
    if (!Number.isFinite(value)) {
      add("not-finite", `JSON has no \`${node.source}\`. Write a finite number, or quote it as text.`, span)
      return { ...base, value: 0 }
    }
    if (Number.isInteger(value) && !Number.isSafeInteger(value)) {
      add(
        "inexact-integer",
        `JSON readers lose digits of \`${node.source}\`: integers are exact up to 9007199254740991. Quote it as text.`,
        span,
      )
    }
    return { ...base, value }
  }

  function refuse(code: Code, message: string, span: Span): undefined {
    add(code, message, span)
    return undefined
  }

  return { convert }
}

function spanOf(node: YamlNode): Span {
  const [start, end] = node.range ?? [0, 0]
  return { start, end }
}
