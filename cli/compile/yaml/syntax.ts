import type { Document, YAMLParseError } from "yaml"
import type { Span } from "../../diagnostics/diagnostic.ts"
import { yamlPackage } from "./yaml-package.ts"

/** A mistake of syntax: where, in our words (the parser's own where we have none), and where what is open begins. */
export interface SyntaxMistake {
  readonly message: string
  readonly span: Span
  readonly opening: Span | undefined
}

/** What is wrong with a text that js-yaml refused: by the yaml package, whose places and reasons are the better ones. */
export function findSyntaxMistake(
  text: string,
  { reason, offset }: { readonly reason: string; readonly offset: number },
): SyntaxMistake {
  const conflict = text.search(/^<{7} /m)
  if (conflict !== -1)
    return { message: mergeConflict, span: { start: conflict, end: conflict + 7 }, opening: undefined }
  const options = { prettyErrors: false, uniqueKeys: false, merge: false }
  const documents = yamlPackage().parseAllDocuments(text, options)
  return (
    firstMistake([...documents], text) ?? {
      message: sentenceOf(reason, text, offset),
      span: { start: offset, end: offset + 1 },
      opening: undefined,
    }
  )
}

/** The first mistake of syntax; what follows it may be its consequence. `undefined` where there is none. */
function firstMistake(documents: readonly Document.Parsed[], text: string): SyntaxMistake | undefined {
  const document = documents.find(({ errors }) => errors.length > 0)
  const first = document?.errors[0]
  if (document === undefined || first === undefined) return undefined
  const item = document.errors.find(
    ({ pos, message }) => pos[0] === first.pos[0] && /block-seq-ind/.test(message),
  )
  const error = item ?? first // where a list item stands for a member, the parser misses the member first
  const message = messageOf(error)
  const [start, end] = error.pos
  const quote = error.code === "MISSING_CHAR" ? lastQuote(document) : undefined
  if (quote !== undefined) return { message, span: quote, opening: undefined }
  const indent = /^ */.exec(text.slice(start, end + 80))?.[0].length ?? 0
  const isIndent = error.code === "BAD_INDENT" && indent > 0
  const span = isIndent ? { start: start + indent, end: start + indent + 1 } : { start, end }
  return {
    message,
    span,
    opening: /not closed/.test(message) ? openBracket(document, text, start) : undefined,
  }
}

/** A quote that is not closed swallows the rest of the file: its text is the last. */
function lastQuote(document: Document.Parsed): Span | undefined {
  const { isScalar, visit } = yamlPackage()
  let last: Span | undefined
  visit(document, (_, node) => {
    if (!isScalar(node) || !/^QUOTE/.test(node.type ?? "") || node.range == null) return
    last = { start: node.range[0], end: node.range[0] + 1 }
  })
  return last
}

/** The last bracket before an offset that has no partner. */
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

/** js-yaml's reasons, for what the yaml package lets pass. */
function sentenceOf(reason: string, text: string, offset: number): string {
  if (/printable|valid JSON character/.test(reason)) {
    const code = (text.codePointAt(offset) ?? 0).toString(16).padStart(4, "0")
    return `The character U+${code.toUpperCase()} cannot stand in YAML. In double quotes, write \\u${code}.`
  }
  const known = reasons.find(([part]) => reason.includes(part))
  return known?.[1] ?? notPart
}

const reasons: readonly (readonly [string, string])[] = [
  ["deficient indentation", "This is indented too little, or with a tab. Use spaces."],
  ["mapping key", "A member is written `name: value`, with a space after the colon."],
  ["implicit key", "A member is written `name: value`, with a space after the colon."],
  ["quoted scalar", "A quoted text is not closed."],
]
const notPart = "This does not belong to the value before it. Check quotes and indentation."

const mergeConflict =
  "A merge conflict is not resolved. Keep one side, and remove the lines of `<<<<<<<`, `=======` and `>>>>>>>`."

function messageOf({ code, message }: YAMLParseError): string {
  const known = messages[code]?.find(([part]) => message.includes(part))
  return known?.[1] ?? `${message}.`.replace(/\.\.$/, ".")
}

/** By the parser's code, then by a part of its sentence. */
const messages: Readonly<Partial<Record<YAMLParseError["code"], readonly (readonly [string, string])[]>>> = {
  TAB_AS_INDENT: [["", "A tab cannot indent in YAML. Use spaces."]],
  BAD_INDENT: [
    ["end with a ]", "A list is not closed before this. End it with `]`."],
    ["end with a }", "A mapping is not closed before this. End it with `}`."],
    ["same column", "This is indented differently from its neighbours. Begin it in the same column."],
  ],
  MISSING_CHAR: [
    ['"quote', 'A quoted text is not closed. End it with `"`.'],
    ["'quote", "A quoted text is not closed. End it with `'`."],
  ],
  BLOCK_AS_IMPLICIT_KEY: [
    ["", "A second `:` on one line. Quote the text that holds it, or begin a new line."],
  ],
  MULTILINE_IMPLICIT_KEY: [["", "A member is written `name: value`, with a space after the colon."]],
  BAD_SCALAR_START: [["", "A text that begins so must be quoted."]],
  UNEXPECTED_TOKEN: [
    ["at node end", "This does not belong to the value before it. Check quotes and indentation."],
    [
      "block-seq-ind on same line",
      "A list item cannot stand here. Begin it on a line of its own, below its member.",
    ],
  ],
  BAD_DQ_ESCAPE: [
    ["", "In double quotes a backslash begins an escape. Write it twice, or use single quotes."],
  ],
  BAD_ALIAS: [["", "A text that begins with `*` or `&` must be quoted."]],
}
