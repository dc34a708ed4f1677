import type { Alias, Pair, ParsedNode, Scalar, Node as YamlNode } from "yaml"
import type { Code } from "../../diagnostics/codes.ts"
import type { Report, SourceFile, Span } from "../../diagnostics/diagnostic.ts"
import { quoted } from "../../diagnostics/suggest.ts"
import { readPlainYaml } from "./plain-yaml.ts"
import { firstSyntaxMistake } from "./syntax.ts"
import type { Member, Node, ParsedFile, ScalarNode } from "./tree.ts"
import { yamlPackage } from "./yaml-package.ts"

// Longer than most files: the stages of one conversion share its anchors and its count of values.

/** Deeper values are refused: every reader of a snapshot has a stack, too. */
const maxDepth = 64
/** Aliases can make a short text stand for billions of values ("billion laughs"); all of them together are counted. */
const maxNodes = 20_000

/**
 * The file's YAML 1.2 as a tree of values with places. A file that is no YAML, or whose meaning is in doubt (merge
 * keys, unresolved aliases), gives diagnostics and an empty list, so that no later stage complains of the same thing.
 */
export function parseSource(source: SourceFile, report: Report): readonly ParsedFile[] {
  const plain = readPlainYaml(source.text)
  return plain === undefined ? parseWithYaml(source, report) : [{ source, root: plain }]
}

/** The same for any text, and many times slower: by the yaml package. */
export function parseWithYaml(source: SourceFile, report: Report): readonly ParsedFile[] {
  const options = { prettyErrors: false, uniqueKeys: false, merge: false }
  const documents = yamlPackage().parseAllDocuments(source.text, options)
  const add: Add = (code, message, span, first, what = "The first is here.") =>
    report.add({
      code,
      message,
      source,
      span,
      related: first === undefined ? [] : [{ message: what, location: { source, span: first } }],
    })
  const [first, second] = documents
  const syntax = firstSyntaxMistake([...documents], source.text)
  if (syntax !== undefined) {
    const { message, span, opening } = syntax
    const conflict = source.text.search(/^<{7} /m)
    if (/call stack/.test(message)) add("too-deep", tooDeep, { start: 0, end: 0 })
    else if (conflict !== -1) add("syntax", mergeConflict, { start: conflict, end: conflict + 7 })
    else add("syntax", message, span, opening, "It begins here.")
    return []
  }
  if (first === undefined || !("contents" in first) || first.contents === null) {
    add("empty-file", "The file is empty. Write its members, or remove it.", { start: 0, end: 0 })
    return []
  }
  if (second !== undefined) {
    const start = Math.max(0, source.text.lastIndexOf("---", second.range[0]))
    const message = "A file holds one flag. Move what follows `---` to a file of its own."
    add("several-documents", message, { start, end: start + 3 })
    return []
  }
  const directive = /^%\S*/m.exec(source.text.slice(0, spanOf(first.contents).start))
  if (directive !== null) {
    const { 0: name, index } = directive
    const message = `Remove the ${quoted(name)} line: flag files are YAML 1.2 without directives.`
    add("yaml-directive", message, { start: index, end: index + name.length })
    return []
  }
  const { convert, sayUnused } = createConverter(add, source.text)
  const root = convert(first.contents)
  if (root !== undefined) sayUnused()
  return root === undefined ? [] : [{ source, root }]
}

const explicitTag = "Remove the tag: a value's type follows from how it is written."
const mergeConflict =
  "A merge conflict is not resolved. Keep one side, and remove the lines of `<<<<<<<`, `=======` and `>>>>>>>`."
const tooDeep = `Values are nested more than ${maxDepth} deep. Make them flatter.`

type Add = (code: Code, message: string, span: Span, first?: Span, what?: string) => void

/** `convert` gives `undefined`, after a diagnostic, for a value whose meaning is in doubt. */
function createConverter(add: Add, text: string) {
  const { isAlias, isMap, isScalar, isSeq, Scalar } = yamlPackage()
  const anchors = new Map<string, { readonly node: Node; readonly size: number } | "open">()
  const unused = new Map<string, Span>()
  let nodes = 0

  function convert(node: ParsedNode, depth = 0): Node | undefined {
    if (isAlias(node)) return follow(node)
    const span = spanOf(node)
    if (depth > maxDepth) return refuse("too-deep", tooDeep, span)
    const before = nodes
    if (!spend(isScalar(node) ? weightOf(span) : 1, span)) return undefined
    if (node.tag !== undefined) return refuse("explicit-tag", explicitTag, tagBefore(text, span.start))
    if (node.anchor === undefined) return plain(node, span, depth)
    drop(node.anchor, span)
    const result = plain(node, span, depth)
    if (result !== undefined) anchors.set(node.anchor, { node: result, size: nodes - before })
    return result
  }

  /** Notes an anchor before a value that is not known yet. */
  function drop(anchor: string, { start: before }: Span): void {
    const start = text.lastIndexOf(`&${anchor}`, before)
    unused.set(anchor, { start, end: start + anchor.length + 1 })
    anchors.set(anchor, "open")
  }

  function follow(alias: Alias.Parsed): Node | undefined {
    const span = spanOf(alias)
    const target = anchors.get(alias.source)
    unused.delete(alias.source)
    if (target === undefined)
      return refuse(
        "unresolved-alias",
        `No anchor ${quoted(`&${alias.source}`)} stands before this. Write the value out.`,
        span,
      )
    if (target === "open")
      return refuse(
        "alias-cycle",
        `${quoted(`*${alias.source}`)} lies within the value that it names. Write the value out.`,
        span,
      )
    return spend(target.size, span) ? target.node : undefined
  }

  function sayUnused(): void {
    for (const [name, span] of unused) {
      add("unused-anchor", `No alias ${quoted(`*${name}`)} names this. Remove the anchor.`, span)
    }
  }

  function spend(size: number, span: Span): boolean {
    const exhausted = nodes > maxNodes
    nodes += size
    if (nodes > maxNodes && !exhausted) {
      add(
        "too-many-nodes",
        `With its aliases written out, the file has more than ${maxNodes} values. Write fewer.`,
        span,
      )
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
        whole =
          refuse(
            "complex-key",
            "A member's name is plain text. Quote a text that begins with `{`, `[` or `*`.",
            spanOf(key),
          ) !== undefined
        continue
      }
      const nameSpan = spanOf(key)
      if (key.tag !== undefined) {
        whole = refuse("explicit-tag", explicitTag, tagBefore(text, nameSpan.start)) !== undefined
        continue
      }
      if (key.anchor !== undefined) {
        drop(key.anchor, nameSpan)
        anchors.set(key.anchor, { node: scalar(key, nameSpan), size: weightOf(nameSpan) })
      }
      if (!spend(weightOf(nameSpan) - 1, nameSpan)) return undefined
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
        add(
          "duplicate-member",
          `${quoted(name)} is here twice. Remove one of them.`,
          nameSpan,
          first.nameSpan,
        )
      }
    }
    return whole ? { kind: "mapping", members, ...span } : undefined
  }

  function scalar(node: Scalar.Parsed, span: Span): Node {
    const value: unknown = node.value
    const isPlain = node.type === Scalar.PLAIN
    const base = { kind: "scalar", plain: isPlain, ...span } as const
    return { ...base, value: value as ScalarNode["value"] }
  }

  function refuse(code: Code, message: string, span: Span): undefined {
    add(code, message, span)
    return undefined
  }

  return { convert, sayUnused }
}

/** A text counts once more for every 1,000 characters: aliases can make many of one. */
function weightOf({ start, end }: Span): number {
  return 1 + Math.floor((end - start) / 1000)
}

/** The tag that stands before a value. */
function tagBefore(text: string, offset: number): Span {
  const mark = text.lastIndexOf("!", offset - 1)
  const start = text[mark - 1] === "!" ? mark - 1 : mark
  return { start, end: start + (/^\S+/.exec(text.slice(start, offset))?.[0].length ?? 1) }
}

function spanOf(node: YamlNode): Span {
  const [start, end] = node.range ?? [0, 0]
  return { start, end }
}
