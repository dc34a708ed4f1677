import { type Document, parseAllDocuments, type ScalarTag, visit } from "yaml"
import { commentsOf, levelComments } from "./comments.ts"

/** A text in the canonical layout; `kept` if the layout would lose something. */
export type Formatted =
  | { readonly kind: "formatted"; readonly text: string }
  | { readonly kind: "kept"; readonly reason: string }

/**
 * Formats a YAML text: two spaces for each level, lists indented, one space inside braces, no line folded. Order,
 * quotes, numbers and comments stay as written, and CRLF at the end of all lines, which Git for Windows checks out. The
 * result is checked: it has the text's comments and meaning, and formatting it again changes nothing.
 */
export function formatFile(text: string): Formatted {
  try {
    const isCrlf = text.includes("\r\n") && !/(?<!\r)\n|\r(?!\n)/.test(text)
    if (!isCrlf) return formatYaml(text)
    const formatted = formatYaml(text.replaceAll("\r\n", "\n"))
    return formatted.kind === "kept"
      ? formatted
      : { ...formatted, text: formatted.text.replaceAll("\n", "\r\n") }
  } catch (error) {
    // The YAML library throws on unresolved aliases and on aliases that expand to too many values, and runs out of
    // stack on deep nesting; JSON throws on a list that contains itself.
    const isOfText =
      error instanceof ReferenceError ||
      error instanceof RangeError ||
      /^(?:Unresolved alias|Converting circular structure)/.test((error as Error).message)
    if (isOfText) return invalid
    throw error
  }
}

const invalid: Formatted = { kind: "kept", reason: "it has errors; run `flagstone lint`" }

function formatYaml(text: string): Formatted {
  const before = read(text)
  if (before === undefined) return invalid
  const meant = meaning(before)
  const laidOut = layOut(before, text)
  if (laidOut === text) return { kind: "formatted", text }
  const after = read(laidOut)
  if (after === undefined || meaning(after) !== meant)
    return { kind: "kept", reason: "formatting would change its meaning" }
  if (commentsOf(laidOut) !== commentsOf(text))
    return { kind: "kept", reason: "formatting would lose a comment" }
  if (unseenOf(laidOut) !== unseenOf(text))
    return { kind: "kept", reason: "formatting would write a character that no one sees for its escape" }
  if (layOut(after, laidOut) !== laidOut)
    return { kind: "kept", reason: "formatting it twice gives different results" }
  return { kind: "formatted", text: laidOut }
}

function read(text: string): Document.Parsed | undefined {
  const documents = parseAllDocuments(text, {
    prettyErrors: false,
    uniqueKeys: false,
    merge: false,
    customTags: [verbatim],
  })
  const [only, another] = documents
  if (only === undefined || !("contents" in only) || another !== undefined) return undefined
  return only.errors.length > 0 || only.contents === null ? undefined : only
}

/** A scalar as it was written: the notation of `1.10`, `0x1F` and `1e3` is intended, and so are the escapes of a text. */
class Written {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

const verbatim: ScalarTag = {
  tag: "tag:flagstone,2026:written",
  default: true,
  identify: (value) => value instanceof Written,
  resolve: (text) => text,
  test: /(?!)/,
  stringify: ({ value }) => (value as Written).text,
}

/** Prints the document with its numbers and its escapes as they were written. */
function layOut(document: Document.Parsed, text: string): string {
  visit(document, {
    Scalar(_, node) {
      if (typeof node.value === "number" && node.source !== undefined) {
        node.value = new Written(node.source)
        delete node.format
      }
      const quoted = node.type === "QUOTE_DOUBLE" && node.range ? text.slice(...node.range.slice(0, 2)) : ""
      if (quoted.includes("\\") && !quoted.includes("\n")) node.value = new Written(quoted)
    },
  })
  return levelComments(tighten(document.toString({ lineWidth: 0, indent: 2, indentSeq: true })), text)
}

/** Replaces `[ a, b ]` with `[a, b]`: the library has one option for the spaces in brackets and in `{ a: b }`. */
function tighten(text: string): string {
  if (!/\[ | \]/.test(text)) return text
  const spaces: number[] = []
  const document = read(text)
  if (document === undefined) return text
  visit(document, {
    Seq(_, node) {
      if (node.flow !== true || node.range == null) return
      const [start, end] = node.range
      if (text.startsWith("[ ", start)) spaces.push(start + 1)
      if (/[^\s] \]$/.test(text.slice(start, end))) spaces.push(end - 2)
    },
  })
  return spaces.sort((a, b) => b - a).reduce((done, at) => done.slice(0, at) + done.slice(at + 1), text)
}

/** The characters that only an escape shows, in their order. */
function unseenOf(text: string): string {
  return (text.match(/[^\P{Z} ]|[^\P{C}\t\r\n]/gu) ?? []).join("")
}

/** Equal for texts with the same value; aliases are resolved, and members keep their order. */
function meaning(document: Document.Parsed): string {
  return JSON.stringify(document.toJS({ mapAsMap: true, maxAliasCount: 1000 }), (_, value: unknown) => {
    if (value instanceof Map) return { members: [...value] }
    return typeof value === "number" && !Number.isFinite(value) ? String(value) : value
  })
}
