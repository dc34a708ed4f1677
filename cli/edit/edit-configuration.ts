import type { Edit } from "../diagnostics/diagnostic.ts"
import { yamlLine } from "../diagnostics/yaml-line.ts"
import { type MappingNode, type Member, memberOf, type Node } from "../language/tree.ts"
import { applyEdits } from "./apply-edits.ts"
import { lineEnd, lineStart, type WrittenRule } from "./written-rules.ts"

/** A configuration's new content, and its place in its file. */
export interface NewConfiguration {
  readonly environments: MappingNode
  readonly environment: string
  /** The configuration after which a new one comes. */
  readonly after: Member
  readonly enabled: boolean
  readonly rules: readonly WrittenRule[]
}

/**
 * Returns a file's text with that configuration; all other text stays. A configuration in brackets stays in brackets
 * unless its rules come from a list with one rule per line. The caller checks the result: with aliases and rare layouts
 * its meaning may differ.
 */
export function editConfiguration(text: string, wanted: NewConfiguration): string {
  const target = memberOf(wanted.environments, wanted.environment)
  const isWhole = target === undefined || isAlias(target) || isInline(text, target.value)
  return applyEdits(text, isWhole ? [writeWhole(text, wanted, target)] : editWithin(text, wanted, target))
}

/** Writes the whole of a configuration that is missing, an alias, or in brackets. */
function writeWhole(
  text: string,
  { environments, environment, after, enabled, rules }: NewConfiguration,
  target: Member | undefined,
): Edit {
  const column = columnOf(text, (target ?? after).nameSpan.start)
  const id = target?.value.kind === "mapping" && !isAlias(target) ? memberOf(target.value, "id") : undefined
  const members = [
    ...(id === undefined ? [] : [`id: ${text.slice(id.value.start, id.value.end)}`]),
    `enabled: ${enabled}`,
  ]
  const onLines = hasLines(rules) && !isInline(text, environments)
  const lines = [...members, `rules${listValue(text, rules, column + 2)}`]
  const value = onLines
    ? lines.map((line) => `${lineBreak(text)}${" ".repeat(column + 2)}${line}`).join("")
    : ` { ${[...members, `rules: ${inBrackets(rules)}`].join(", ")} }`
  const end = endOf(text, target ?? after)
  if (target !== undefined) {
    const [comment = ""] = onLines ? (/^[ \t]+#.*/.exec(text.slice(end)) ?? []) : []
    const { start } = valueSpan(text, target)
    return { start, end: end + comment.length, text: `:${comment}${value}` }
  }
  if (isInline(text, environments)) return { start: end, end, text: `, ${yamlLine(environment)}:${value}` }
  const line = `${" ".repeat(column)}${yamlLine(environment)}:${value}`
  return insertLine(text, belowComments(text, lineEnd(text, end), column), line)
}

/** Changes only what differs in a configuration on lines. */
function editWithin(
  text: string,
  { enabled, rules }: NewConfiguration,
  { value: configuration }: Member,
): readonly Edit[] {
  if (configuration.kind !== "mapping") return []
  const [on, list] = [memberOf(configuration, "enabled"), memberOf(configuration, "rules")]
  if (on === undefined) return []
  const column = columnOf(text, on.nameSpan.start)
  const edits = [{ ...valueSpan(text, on), text: `: ${enabled}` }]
  if (list === undefined) {
    const line = `${" ".repeat(column)}rules${listValue(text, rules, column)}`
    if (rules.length > 0) edits.push(insertLine(text, lineEnd(text, endOf(text, on)), line))
  } else if (isAlias(list) || isInline(text, list.value) || rules.length === 0) {
    edits.push({ ...valueSpan(text, list), text: listValue(text, rules, column) })
  } else {
    const [start, end] = [lineEnd(text, list.nameSpan.end), lineEnd(text, list.value.end)]
    const lines = listLines(rules, columnOf(text, list.value.start)).join(lineBreak(text))
    edits.push({ start, end, text: text[end - 1] === "\n" ? `${lines}${lineBreak(text)}` : lines })
  }
  return edits.toSorted((a, b) => a.start - b.start)
}

/** The text after `rules`; `column` is the column of `rules`. */
function listValue(text: string, rules: readonly WrittenRule[], column: number): string {
  if (!hasLines(rules)) return `: ${inBrackets(rules)}`
  return [":", ...listLines(rules, column + 2)].join(lineBreak(text))
}

function listLines(rules: readonly WrittenRule[], column: number): readonly string[] {
  return rules
    .flatMap(({ comments, lines, inline }) => [...comments, ...(lines ?? [`- ${inline}`])])
    .map((line) => (line === "" ? "" : " ".repeat(column) + line))
}

const inBrackets = (rules: readonly WrittenRule[]) => `[${rules.map(({ inline }) => inline).join(", ")}]`
const hasLines = (rules: readonly WrittenRule[]) => rules.some(({ lines }) => lines !== undefined)
const isInline = (text: string, node: Node) => /[[{]/.test(text[node.start] ?? "")
const lineBreak = (text: string) => (text.includes("\r\n") ? "\r\n" : "\n")
const columnOf = (text: string, offset: number) => offset - lineStart(text, offset)

/** Inserts a line at the start of another, or at the end of a text without a final line break. */
function insertLine(text: string, at: number, line: string): Edit {
  const isOpen = at === text.length && !text.endsWith("\n")
  return { start: at, end: at, text: isOpen ? lineBreak(text) + line : line + lineBreak(text) }
}

/** An aliased value is the node with the anchor itself, which comes earlier in the text. */
function isAlias({ nameSpan, value }: Member): boolean {
  return value.start < nameSpan.start
}

/** A member without its name: from the colon to the end of the value. */
function valueSpan(text: string, member: Member): { readonly start: number; readonly end: number } {
  return { start: text.indexOf(":", member.nameSpan.end), end: endOf(text, member) }
}

function endOf(text: string, member: Member): number {
  if (!isAlias(member)) return member.value.end
  const [alias = ""] = /:\s*\*[^\s,[\]{}]+/.exec(text.slice(member.nameSpan.end)) ?? []
  return text.indexOf(alias, member.nameSpan.end) + alias.length
}

/** Returns the offset after comment lines that are indented deeper than a column: they belong to what is above them. */
function belowComments(text: string, offset: number, column: number): number {
  const comments = new RegExp(`(?:[ \\t]*\\r?\\n)*(?: {${column + 1},}#.*(?:\\r?\\n|$))+`, "y")
  comments.lastIndex = offset
  return offset + (comments.exec(text)?.[0].length ?? 0)
}
