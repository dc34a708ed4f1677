import { createReport, type Edit } from "../diagnostics/diagnostic.ts"
import type { UsedAttribute } from "../flag/used-attributes.ts"
import { type MappingNode, type Member, memberOf } from "../language/tree.ts"
import type { Project } from "../reading/project.ts"
import { parseSource } from "../yaml/parse.ts"
import { applyEdits } from "./apply-edits.ts"
import { attributeLines, attributesText } from "./attributes-text.ts"
import { lineEnd, lineStart } from "./written-rules.ts"

/**
 * The project file's text with the attributes that it lacks: after the last that it lists, or as a new list at the end.
 * `undefined` if its list has a rare layout, such as an alias.
 */
export function addAttributes(
  { source, attributes }: Project,
  used: readonly UsedAttribute[],
): string | undefined {
  const { text } = source
  const missing = used.filter(({ name }) => !attributes?.has(name))
  if (missing.length === 0) return text
  const root = parseSource(source, createReport())?.root
  const list = root?.kind === "mapping" ? memberOf(root, "attributes") : undefined
  if (list === undefined) return `${text}${text.endsWith("\n") ? "" : "\n"}${attributesText(missing)}`
  const edit = list.value.kind === "mapping" ? insertion(text, list, list.value, missing) : undefined
  return edit && applyEdits(text, [edit])
}

function insertion(
  text: string,
  list: Member,
  { members, start }: MappingNode,
  missing: readonly UsedAttribute[],
): Edit | undefined {
  const last = members.at(-1)
  if (start < list.nameSpan.end) return undefined
  const lines = attributeLines(missing)
  if (text[start] === "{") {
    const at = last?.value.end ?? start + 1
    const inner = lines.map(({ field }) => field).join(", ")
    return { start: at, end: at, text: last === undefined ? ` ${inner} ` : `, ${inner}` }
  }
  if (last === undefined || last.value.start < last.nameSpan.end) return undefined
  const column = last.nameSpan.start - lineStart(text, last.nameSpan.start)
  const written = lines.map(({ field, comment }) => `${" ".repeat(column)}${field} # ${comment}\n`).join("")
  // A mapping on lines may end with its last line's break.
  const at = text[last.value.end - 1] === "\n" ? last.value.end : lineEnd(text, last.value.end)
  return { start: at, end: at, text: text[at - 1] === "\n" ? written : `\n${written}` }
}
