import type { SourceFile } from "../diagnostics/diagnostic.ts"
import { yamlLine } from "../diagnostics/yaml-line.ts"
import { type MappingNode, memberOf, type Node, toValue } from "../language/tree.ts"
import type { Fields } from "../language/written-condition.ts"

/** A rule as its author wrote it, or as `promote` makes it. */
export interface WrittenRule {
  readonly fields: Fields
  /** On one line, as in brackets. */
  readonly inline: string
  /** As an element of a block list, from its dash on, without the list's indentation; `undefined`: only `inline`. */
  readonly lines?: readonly string[]
  /** The comments on lines of their own above it, without indentation. */
  readonly comments: readonly string[]
  /** Its offset in the file. */
  readonly start: number
}

/** A rule that `promote` makes, with the position and layout of another rule. */
export function newRule(
  fields: Fields,
  { comments, start, lines }: Pick<WrittenRule, "comments" | "start" | "lines">,
): WrittenRule {
  const made = { fields, inline: yamlLine(fields), comments, start }
  if (lines === undefined) return made
  const texts = Object.entries(fields).flatMap(([name, value]) =>
    name === "all" && Array.isArray(value)
      ? [`${name}:`, ...value.map((condition) => `  - ${yamlLine(condition)}`)]
      : [`${name}: ${yamlLine(value)}`],
  )
  return { ...made, lines: texts.map((text, at) => `${at === 0 ? "-" : " "} ${text}`) }
}

/** The rules of a configuration in their order. With `isCopy`, rules with anchors or aliases are written out in full. */
export function writtenRules(
  { text }: SourceFile,
  configuration: MappingNode,
  isCopy: boolean,
): readonly WrittenRule[] {
  const rules = memberOf(configuration, "rules")
  if (rules?.value.kind !== "sequence") return []
  const list = rules.value
  let above = lineEnd(text, rules.nameSpan.end)
  return list.items.map((node): WrittenRule => {
    const dash = dashBefore(text, node)
    const place = { comments: [], start: node.start, ...(dash !== undefined && { lines: [] }) }
    const made = newRule(toValue(node) as Fields, place)
    const written = text.slice(dash ?? node.start, node.end)
    const isElsewhere = node.start < list.start || node.end > list.end
    if (isElsewhere || (isCopy && /(?:^|[\s[{,])[&*][^\s"']/.test(written))) return made
    const inline = dash === undefined && !/[\n\r#]/.test(written) ? written : made.inline
    if (dash === undefined) return { ...made, inline }
    const from = lineStart(text, dash)
    const comments = text.slice(above, from).match(/^ *#.*$/gm) ?? []
    above = lineEnd(text, node.end)
    const lines = outdented(text.slice(from, above), dash - from)
    return { ...made, inline, lines, comments: comments.map((line) => line.trim()) }
  })
}

/** The offset of the dash before an element on its line; `undefined` within brackets. */
function dashBefore(text: string, { start }: Node): number | undefined {
  const from = lineStart(text, start)
  const before = /^( *)- +(?:&\S+ +)?$/.exec(text.slice(from, start))
  return before === null ? undefined : from + (before[1] ?? "").length
}

/** Whole lines without their line breaks, and without the first line's indentation. */
function outdented(text: string, column: number): readonly string[] {
  const indent = new RegExp(`^ {0,${column}}`)
  const lines = text.split(/\r?\n/).map((line) => line.replace(indent, ""))
  return lines.at(-1) === "" ? lines.slice(0, -1) : lines
}

/** The start of the line at an offset. */
export function lineStart(text: string, offset: number): number {
  return text.lastIndexOf("\n", offset - 1) + 1
}

/** The start of the line after an offset. */
export function lineEnd(text: string, offset: number): number {
  const end = text.indexOf("\n", offset)
  return end === -1 ? text.length : end + 1
}
