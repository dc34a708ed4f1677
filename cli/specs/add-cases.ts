import { isMap, isNode, isSeq, parseDocument } from "yaml"
import { yamlLine } from "../edit/yaml-line.ts"
import type { Suggestion } from "./suggest.ts"

/**
 * The spec file's text with the suggested cases at the end, one per line in a block list. The text that was there, with its
 * comments and layout, stays as it is. `undefined` if the text is not a spec.
 */
export function addCases({ text, flag, schemaLine, cases }: Suggestion): string | undefined {
  const lines = cases.map(({ environment, context, expect }) => yamlLine({ environment, context, expect }))
  if (text === undefined)
    return `${schemaLine}flag: ${yamlLine(flag)}\ncases:\n${lines.map((one) => `  - ${one}\n`).join("")}`
  const document = parseDocument(text)
  const list = isMap(document.contents) ? document.contents.get("cases") : undefined
  if (!isSeq(list) || list.range == null || document.errors.length > 0) return undefined
  const [start, end] = list.range
  if (list.flow === true) {
    // Right after the last case, before any comma or comment.
    const last = list.items.findLast(isNode)?.range?.[1]
    const at = last ?? start + 1
    const written = lines.join(", ")
    return `${text.slice(0, at)}${last === undefined ? "" : ", "}${written}${text.slice(at)}`
  }
  const indent = " ".repeat(start - (text.lastIndexOf("\n", start - 1) + 1))
  const at = endOfLine(text, end)
  const before = text.slice(0, at)
  const written = lines.map((one) => `${indent}- ${one}\n`).join("")
  return `${before}${before.endsWith("\n") ? "" : "\n"}${written}${text.slice(at)}`
}

/** The start of the line after an offset, where a comment may follow; the text's end if it is the last. */
function endOfLine(text: string, offset: number): number {
  if (text[offset - 1] === "\n") return offset
  const end = text.indexOf("\n", offset)
  return end === -1 ? text.length : end + 1
}
