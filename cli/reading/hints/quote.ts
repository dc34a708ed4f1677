import type { Edit, SourceFile, Span } from "../../diagnostics/diagnostic.ts"
import { quoted, suggest } from "../../diagnostics/suggest.ts"
import type { Node, ScalarNode } from "../../language/tree.ts"

/** What an author wrote, in words. */
export function describe(node: Node): string {
  if (node.kind !== "scalar") return node.kind === "mapping" ? "a mapping" : "a list"
  return node.value === null
    ? "empty"
    : { string: "text", number: "a number", boolean: "a boolean" }[typeof node.value as "string"]
}

/** The scalar as it is written in the file. */
export function writtenAs(node: ScalarNode, source: SourceFile): string {
  return source.text.slice(node.start, node.end)
}

/** How to fix a plain scalar that was meant as text: the sentence, and the edit if it is certain. */
export function quoting(node: ScalarNode, source: SourceFile): Quoting {
  const text = JSON.stringify(writtenAs(node, source))
  const fix = hasAnchors(source) ? undefined : { start: node.start, end: node.end, text }
  return { advice: text.length > 80 ? "Quote it." : `Quote it: ${text}.`, fix }
}

interface Quoting {
  readonly advice: string
  readonly fix: Edit | undefined
}

/**
 * The same for what an attribute is compared with: `True` may stand for the boolean, whose text is `true`, or for these letters,
 * so no edit is certain.
 */
export function quotingOperand(node: ScalarNode, source: SourceFile): Quoting {
  const written = writtenAs(node, source)
  if (typeof node.value !== "boolean" || written === String(node.value)) return quoting(node, source)
  const advice = `Quote it: "${node.value}" for the boolean, or ${JSON.stringify(written)} for this text.`
  return { advice, fix: undefined }
}

/** Whether a file has anchors. Editing a value with aliases changes them all, and the author may have meant only one. */
export function hasAnchors(source: SourceFile): boolean {
  return /(^|[\s,[{:-])&[^\s,[\]{}]/.test(source.text)
}

/**
 * ` Write true.`, ` Remove the quotes.` or ` Did you mean …?` for text that was meant as another type; "" if it is not clear.
 */
export function unquoting(node: Node, type: "boolean" | "number"): string {
  if (node.kind !== "scalar" || node.value === null) return ""
  if (type === "number") {
    const [, percent] = /^(\d+(?:\.\d+)?) ?%$/.exec(String(node.value)) ?? []
    if (percent !== undefined) return ` Write ${percent}.`
    const [, whole, decimals] = /^(\d+),(\d+)$/.exec(String(node.value)) ?? []
    if (whole !== undefined) return ` Write ${whole}.${decimals}.`
    return !node.plain && /^-?(0|[1-9]\d*)(\.\d+)?$/.test(String(node.value)) ? " Remove the quotes." : ""
  }
  const word = String(node.value).toLowerCase()
  if (word === "true" || word === "false") return node.plain ? ` Write ${word}.` : " Remove the quotes."
  if (/^(yes|y|on|1)$/.test(word)) return " Write true."
  if (/^(no|n|off|0)$/.test(word)) return " Write false."
  const meant = suggest(word, ["true", "false"])
  return meant === undefined ? "" : ` Did you mean ${quoted(meant)}?`
}

/**
 * Which parsers read something other than text in a scalar, for a phrase after "but"; `undefined` if all see text. Many
 * formatters, editors and pipelines read YAML 1.1.
 */
export function misreadingOf(node: ScalarNode, source: SourceFile): string | undefined {
  const { value, plain } = node
  if (typeof value === "boolean") return "YAML reads this as a boolean"
  if (typeof value === "number") {
    const isChanged = Number.isFinite(value) && String(value) !== writtenAs(node, source)
    return isChanged ? `YAML reads this as the number ${value}` : "YAML reads this as a number"
  }
  if (!plain || value === null) return undefined
  if (/^(yes|no|on|off)$/i.test(value)) return "many YAML parsers read this as a boolean"
  return /^\d{4}-\d{2}-\d{2}([Tt ].*)?$/.test(value) ? "many YAML parsers read this as a date" : undefined
}

/** The edit that replaces a scalar's text; `undefined` if the scalar is a block, or an alias may need the old one. */
export function rewriting(node: ScalarNode, text: string, source: SourceFile): Edit | undefined {
  const quote = source.text.charAt(node.start)
  const isQuoted = quote === '"' || quote === "'"
  if ((!node.plain && !isQuoted) || hasAnchors(source)) return undefined
  // Single quotes keep backslashes and quotes readable, but only double quotes can express a line break.
  const isSingle =
    (quote === "'" || (node.plain && /["\\]/.test(text))) && !/[^ -~\u{a1}-\u{10ffff}]/u.test(text)
  const { start, end } = node
  return { start, end, text: isSingle ? `'${text.replaceAll("'", "''")}'` : JSON.stringify(text) }
}

/** The edit that replaces a name; `undefined` if an alias may need the old one. */
export function renaming({ start, end }: Span, name: string, source: SourceFile): Edit | undefined {
  if (hasAnchors(source)) return undefined
  // In `{"nmae":1}` the quotes must stay: without them the colon would be part of the name.
  const quote = /^["']/.exec(source.text.slice(start, end))?.[0] ?? ""
  return { start, end, text: `${quote}${name}${quote}` }
}

/** The place of a part of a scalar's text; the whole scalar if escapes or line breaks make that uncertain. */
export function spanWithin(node: ScalarNode, { start, end }: Span, source: SourceFile): Span {
  const written = writtenAs(node, source)
  const shift = /^["']/.test(written) ? 1 : 0
  const isVerbatim = written.slice(shift, written.length - shift) === node.value
  return isVerbatim ? { start: node.start + shift + start, end: node.start + shift + end } : node
}
