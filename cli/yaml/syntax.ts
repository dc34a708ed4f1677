import { createRequire } from "node:module"
import type { Document, YAMLParseError } from "yaml"
import type { Edit, Span } from "../diagnostics/diagnostic.ts"
import { readEvents } from "./events.ts"
import { skipBlank } from "./gaps.ts"
import { diagnoseIndentation } from "./indentation.ts"
import { longestGuess } from "./longest-guess.ts"
import type { OtherPlace } from "./reading.ts"
import { mergeConflict, notPart, reservedBeginning, sentenceOfJsYaml, sentenceOfYaml } from "./sentences.ts"

/** A syntax error: a sentence about it, its place, a related place, and the fix if one is certain. */
export interface SyntaxDiagnosis {
  readonly message: string
  readonly span: Span
  readonly related?: OtherPlace | undefined
  readonly fix?: Edit | undefined
}

/** Explains why js-yaml refused a text. Asks the yaml package, which finds better places and reasons. */
export function diagnoseSyntax(
  text: string,
  { reason, offset }: { readonly reason: string; readonly offset: number },
): SyntaxDiagnosis {
  const conflict = text.search(/^<{7} /m)
  if (conflict !== -1) return { message: mergeConflict, span: { start: conflict, end: conflict + 7 } }
  const star = /^( *)\*(?= *:)/m.exec(text)
  if (star !== null) {
    const start = star.index + (star[1] ?? "").length
    const fix = { start, end: start + 1, text: '"*"' }
    return { message: reservedBeginning("*", fix.text), span: { start, end: start + 1 }, fix }
  }
  const options = { prettyErrors: false, uniqueKeys: false, merge: false }
  const documents = yamlPackage().parseAllDocuments(text, options)
  const found = diagnoseFirst([...documents], text)
  const indentation = found === undefined || found.isOfLayout ? diagnoseIndentation(text, offset) : undefined
  return (
    indentation ??
    found?.diagnosis ?? {
      message: sentenceOfJsYaml(reason, text, offset),
      span: { start: offset, end: offset + 1 },
    }
  )
}

/** The first error of the yaml package, since the others may follow from it; `undefined` if it has none. */
function diagnoseFirst(
  documents: readonly Document.Parsed[],
  text: string,
): { readonly diagnosis: SyntaxDiagnosis; readonly isOfLayout: boolean } | undefined {
  const document = documents.find(({ errors }) => errors.length > 0)
  const first = document?.errors[0]
  if (document === undefined || first === undefined) return undefined
  const item = document.errors.find(
    ({ pos, message }) => pos[0] === first.pos[0] && /block-seq-ind/.test(message),
  )
  const error = item ?? first // for a list item in the place of a member, the package reports the missing member first
  const [start, end] = error.pos
  const valueStart = unquotedAt(error, text)
  const fix = valueStart === undefined ? undefined : quoteFrom(valueStart, text)
  if (fix !== undefined) {
    const message = reservedBeginning(text.charAt(fix.start), fix.text)
    // A value that begins with a bracket can be a list that ends too early.
    const isCertain = !/[[{]/.test(text.charAt(fix.start))
    const span = { start: fix.start, end: fix.end }
    return { diagnosis: { message, span, fix: isCertain ? fix : undefined }, isOfLayout: false }
  }
  const below = lineBelow(error, text)
  if (below !== undefined)
    return { diagnosis: { message: notPart, span: { start: below, end: below + 1 } }, isOfLayout: true }
  const message = sentenceOfYaml(error)
  const quote = /quote$/.test(error.message) ? lastQuote(document) : undefined
  if (quote !== undefined) return { diagnosis: { message, span: quote }, isOfLayout: false }
  const indent = /^ */.exec(text.slice(start, end + 80))?.[0].length ?? 0
  const isIndent = error.code === "BAD_INDENT" && indent > 0
  const span = isIndent ? { start: start + indent, end: start + indent + 1 } : { start, end }
  const opening = /not closed/.test(message) ? openBracket(document, text, start) : undefined
  const opened = opening && placeOf(text, opening.start)
  return {
    diagnosis: {
      message: opened === undefined ? message : message.replace("before this", `that starts at ${opened}`),
      span,
      related: opening && { message: "It begins here.", span: opening },
    },
    isOfLayout: opening === undefined && layoutCodes.has(error.code),
  }
}

/** The offset of text that should be quoted, because YAML gives its first character a meaning. */
function unquotedAt({ code, message, pos: [start] }: YAMLParseError, text: string): number | undefined {
  if (code === "BAD_SCALAR_START") return start
  if (/^Block scalar header/.test(message)) return start - 1
  const line = text.slice(text.lastIndexOf("\n", start - 1) + 1, start)
  if (line.length > longestGuess) return undefined
  const [before] = /^[ -]*[\w.-]+: +(?=[[{])/.exec(line) ?? []
  return /at node end/.test(message) && before !== undefined ? start - line.length + before.length : undefined
}

/** Where a line begins whose only `:` is the second of a value that started above; `undefined` if one line has both. */
function lineBelow({ code, pos: [start] }: YAMLParseError, text: string): number | undefined {
  if (code !== "BLOCK_AS_IMPLICIT_KEY") return undefined
  const line = /^.*/.exec(text.slice(text.lastIndexOf("\n", start - 1) + 1))?.[0].replace(/\s#.*/, "") ?? ""
  if (/:\s.*:(\s|$)/.test(line)) return undefined
  const isBelow = /\s/.test(text.charAt(start)) // the package points at the value, or at the indentation of what follows
  return skipBlank(text, isBelow ? start : text.indexOf("\n", start))
}

/** The edit that quotes the value at an offset, up to the end of its line; `undefined` if its end is in doubt. */
function quoteFrom(start: number, text: string): Edit | undefined {
  const before = text.slice(text.lastIndexOf("\n", start - 1) + 1, start)
  const line = /^[^\r\n]*/.exec(text.slice(start))?.[0] ?? ""
  const isInFlow = /[[{]/.test(before)
  const end = line.search(isInFlow ? /[,\]}]/ : /\s#/)
  const written = (end === -1 ? line : line.slice(0, end)).trimEnd()
  if (!/[-:,[{] *$/.test(before) || /:(\s|$)/.test(written)) return undefined
  const edit = { start, end: start + written.length, text: JSON.stringify(written) }
  const rest = text.slice(edit.end)
  const result = readEvents(text.slice(0, start) + edit.text + rest)
  if (result.kind !== "refused") return edit
  // The value may continue on the next line. A value there with the same mistake is fixed after this one.
  const [next = ""] = /^[^\n]*(?:\n\s*[^\n]*)?/.exec(rest) ?? []
  const at = result.offset - start - edit.text.length
  return at > next.length || /[@`%]/.test(rest.charAt(at)) ? edit : undefined
}

/** The yaml package's codes for errors that wrong indentation can cause. */
const layoutCodes: ReadonlySet<YAMLParseError["code"]> = new Set([
  "BAD_INDENT",
  "BLOCK_AS_IMPLICIT_KEY",
  "MISSING_CHAR",
  "UNEXPECTED_TOKEN",
])

/** The last quoted string: one that is not closed takes the rest of the file. */
function lastQuote(document: Document.Parsed): Span | undefined {
  const { isScalar, visit } = yamlPackage()
  let last: Span | undefined
  visit(document, (_, node) => {
    if (!isScalar(node) || !/^QUOTE/.test(node.type ?? "") || node.range == null) return
    last = { start: node.range[0], end: node.range[0] + 1 }
  })
  return last
}

/** The last unclosed bracket before an offset. */
function openBracket(document: Document.Parsed, text: string, before: number): Span | undefined {
  const { isCollection, visit } = yamlPackage()
  let last: Span | undefined
  visit(document, (_, node) => {
    if (!isCollection(node) || node.flow !== true || node.range == null) return
    const [start, end] = node.range
    if (start < before && !/[\]}]/.test(text[end - 1] ?? "")) last = { start, end: start + 1 }
  })
  return last
}

/** An offset as `line:column`, counted from 1. */
function placeOf(text: string, offset: number): string {
  const before = text.slice(0, offset).split(/\r\n|\n|\r/)
  return `${before.length}:${(before.at(-1) ?? "").length + 1}`
}

/** The yaml package, loaded for the first syntax error: loading it takes as long as reading a hundred files. */
function yamlPackage(): typeof import("yaml") {
  loaded ??= createRequire(import.meta.url)("yaml") as typeof import("yaml")
  return loaded
}

let loaded: typeof import("yaml") | undefined
