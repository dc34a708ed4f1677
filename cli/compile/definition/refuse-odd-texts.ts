import type { Report, SourceFile } from "../../diagnostics/diagnostic.ts"
import { quoted } from "../../diagnostics/suggest.ts"
import { renaming, rewriting } from "../hints/quote.ts"
import { seen, unseenIn } from "../yaml/odd-characters.ts"
import type { Node, ParsedFile } from "../yaml/tree.ts"

const suspicious = /[\u00a0\u00ab\u00ad\u2007\u2018\u201a\u201c\u201e\u200b-\u200d\u202f\u2060\u3000\ufeff]/

/** Members whose texts are read by authors or by the SDKs' users: what looks odd there may be meant. */
const free: ReadonlySet<string> = new Set([
  ...["name", "description", "title", "owner"],
  ...["defaultValue", "returnValue", "is"],
])

/**
 * Reports names and texts with characters that no one sees, or with quotes of a word processor around them: they belong to
 * the text, and nothing else is equal to it. Whether there are some.
 */
export function refuseOddTexts({ root, source }: ParsedFile, report: Report): boolean {
  return suspicious.test(source.text) && isOdd(root, false, source, report)
}

function isOdd(node: Node, isFree: boolean, source: SourceFile, report: Report): boolean {
  let found = false
  if (node.kind === "sequence")
    for (const item of node.items) found = isOdd(item, isFree, source, report) || found
  if (node.kind === "mapping")
    for (const { name, nameSpan, value } of node.members) {
      const meant = plain(name)
      const isWrong = !isFree && meant !== name
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
  if (node.kind !== "scalar" || typeof node.value !== "string") return found
  const meant = plain(node.value)
  // In a text for readers, only what would be no text at all is certain.
  if (meant === node.value || (isFree && !/^(true|false|-?\d+(\.\d+)?)$/.test(meant))) return found
  const isWord = isFree || (node.plain && /^(true|false)$/.test(meant))
  const message = sentence(node.value, isWord ? meant : JSON.stringify(meant))
  const fix = isWord ? { start: node.start, end: node.end, text: meant } : rewriting(node, meant, source)
  report.add({ code: "odd-character", message, source, span: node, fix })
  return true
}

const typographic = /^[\u2018\u201a\u201c\u201e\u00ab](.*)[\u2018\u2019\u201c\u201d\u00bb]$/su

function plain(text: string): string {
  const [, inner] = typographic.exec(text) ?? []
  return inner === undefined && unseenIn(text) === undefined ? text : seen(inner ?? text).trim()
}

function sentence(text: string, meant: string): string {
  const what = typographic.test(text)
    ? `${quoted(text.charAt(0))} and ${quoted(text.slice(-1))} are quotes of a word processor, and belong to the text here`
    : `This text has ${unseenIn(text)} in it, which is invisible`
  return `${what}. Write ${meant}.`
}
