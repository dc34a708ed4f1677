import type { Finding, Report, SourceFile, Span } from "../diagnostics/diagnostic.ts"
import { quoted } from "../diagnostics/suggest.ts"
import type { Node, ParsedFile } from "../language/tree.ts"
import { isAscii, seen, unseenIn } from "../yaml/odd-characters.ts"
import { hasAnchors, renaming, rewriting, writtenAs } from "./hints/quote.ts"
import { together } from "./hints/together.ts"

/** Characters that are mistakes if an author did not write them as escapes. */
const suspicious = /[\u00a0\u00ab\u00ad\u2007\u2018\u201a\u201c\u201e\u200b-\u200d\u202f\u2060\u3000\ufeff]/

/** Members that authors or the SDKs' users read, where odd characters may be intended. */
const free: ReadonlySet<string> = new Set([
  ...["name", "description", "title", "owner"],
  ...["defaultValue", "returnValue", "is", "schema"],
])

/**
 * Reports names and strings with invisible characters in them or typographic quotes around them, which keep
 * them from matching anything. Returns whether there are any. In a list, only the first of these items is
 * reported.
 */
export function refuseOddTexts({ root, source }: ParsedFile, report: Report): boolean {
  if (isAscii(source.text) || !suspicious.test(source.text)) return false
  return isOdd(root, false, source, report)
}

function isOdd(node: Node, isFree: boolean, source: SourceFile, report: Report): boolean {
  let found = false
  if (node.kind === "sequence") {
    const odd = node.items.flatMap((item) => oddScalar(item, isFree, source) ?? [])
    for (const finding of together(odd, source)) report.add(finding)
    found = odd.length > 0
    for (const item of node.items)
      if (item.kind !== "scalar") found = isOdd(item, isFree, source, report) || found
  }
  if (node.kind === "mapping")
    for (const { name, nameSpan, value } of node.members) {
      const meant = plain(name)
      const isWrong = !isFree && meant !== name && isPasted(nameSpan, source)
      if (isWrong)
        report.add({
          code: "odd-character",
          message: sentence(name, quoted(meant)),
          source,
          span: nameSpan,
          fix: renaming(nameSpan, meant, source),
        })
      found = isOdd(value, isFree || free.has(name), source, report) || isWrong || found
    }
  const finding = oddScalar(node, isFree, source)
  if (finding !== undefined) report.add(finding)
  return found || finding !== undefined
}

function oddScalar(node: Node, isFree: boolean, source: SourceFile): Finding | undefined {
  if (node.kind !== "scalar" || typeof node.value !== "string" || !isPasted(node, source)) return undefined
  const finding = { code: "odd-character", source, span: node } as const
  const written = node.plain ? writtenAs(node, source) : ""
  const before = written.slice(0, Math.max(0, written.indexOf("#")))
  const [blanks] = blanksAtEnd.exec(before) ?? []
  if (blanks !== undefined && (!isFree || word.test(before.slice(0, -blanks.length)))) {
    const start = node.start + before.length - blanks.length
    const message = `This is ${unseenIn(blanks)}, but \`#\` starts a comment only after a plain space. Write one.`
    const fix = { start, end: start + blanks.length, text: " " }
    return { ...finding, message, span: { start, end: fix.end }, fix: hasAnchors(source) ? undefined : fix }
  }
  const meant = plain(node.value)
  // In text for readers, only a boolean or a number is certainly a mistake.
  if (meant === node.value || (isFree && !word.test(meant))) return undefined
  const isWord = isFree || (node.plain && /^(true|false)$/.test(meant))
  const message = sentence(node.value, isWord ? meant : JSON.stringify(meant))
  const fix = isWord ? { start: node.start, end: node.end, text: meant } : rewriting(node, meant, source)
  return { ...finding, message, fix }
}

function isPasted({ start, end }: Span, { text }: SourceFile): boolean {
  return suspicious.test(text.slice(start, end))
}

/** Booleans and numbers, which are strings only in quotes. */
const word = /^(true|false|-?\d+(\.\d+)?)$/

/** Blanks before a `#` that does not begin a comment, because one of them is not a plain space. */
const blanksAtEnd =
  /(?<![ \u00a0\u2007\u202f\u3000\u00ad\u200b-\u200d\u2060])[ \u00a0\u2007\u202f\u3000\u00ad\u200b-\u200d\u2060]+$/

const typographic = /^[\u2018\u201a\u201c\u201e\u00ab](.*)[\u2018\u2019\u201c\u201d\u00bb]$/su
/** The same without a closing quote. */
const opened = /^[\u201c\u201e\u00ab]([^\u201c-\u201e\u00ab\u00bb]+)$/su

function plain(text: string): string {
  const [, inner] = typographic.exec(text) ?? opened.exec(text) ?? []
  return inner === undefined && unseenIn(text) === undefined ? text : seen(inner ?? text).trim()
}

function sentence(text: string, meant: string): string {
  const what = typographic.test(text)
    ? `${quoted(text.charAt(0))} and ${quoted(text.slice(-1))} are typographic quotes and become part of the text`
    : opened.test(text)
      ? `${quoted(text.charAt(0))} is a typographic quote and becomes part of the text`
      : `This text contains ${unseenIn(text)}, which is invisible`
  return `${what}. Write ${meant}.`
}
