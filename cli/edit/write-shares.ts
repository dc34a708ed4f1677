import type { Json } from "../../sdk/contract/snapshot.ts"
import { createReport, type Edit, type SourceFile } from "../diagnostics/diagnostic.ts"
import { yamlLine } from "../diagnostics/yaml-line.ts"
import type { Share } from "../language/condition.ts"
import { type MappingNode, type Member, type Node, type ParsedFile, toValue } from "../language/tree.ts"
import { type Fields, fieldsOf } from "../language/written-condition.ts"
import { conditionsIn } from "../reading/conditions-in-file.ts"
import { isSegmentPath } from "../reading/files/file-names.ts"
import { noProject, toFlag } from "../reading/read-flag.ts"
import { toSegment } from "../reading/read-segment.ts"
import { noReferences } from "../reading/references.ts"
import { parseSource } from "../yaml/parse.ts"
import { applyEdits } from "./apply-edits.ts"
import { fileEdit } from "./write-configuration.ts"
import { lineEnd, lineStart } from "./written-rules.ts"

/** A condition with the operator `percentage`: the fields that say it as a `share`, and the edits that write them. */
interface Rewritten {
  readonly share: Fields
  readonly edits: readonly Edit[]
}

/**
 * The text of a flag file or segment file with `operator: percentage` written as `share`, wherever that changes no byte of
 * a snapshot and loses no comment. A file that cannot be read stays as it is.
 */
export function writeShares(source: SourceFile): string {
  const parsed = source.text.includes("percentage") ? parseSource(source, createReport()) : undefined
  if (parsed?.root.kind !== "mapping") return source.text
  const found = percentagesIn(parsed)
  const edits = [...found.values()].flatMap((rewritten) => rewritten.edits)
  const text = applyEdits(
    source.text,
    edits.toSorted((a, b) => a.start - b.start),
  )
  const { root } = parsed
  const edit = fileEdit({ source, root }, text, () => valueWith(root, found) as Fields)
  return edit.kind === "edited" && edit.lostComments.length === 0 ? text : source.text
}

function percentagesIn(file: ParsedFile): ReadonlyMap<Node, Rewritten> {
  const read = isSegmentPath(file.source.path) ? toSegment(file, noProject) : toFlag(file, noProject)
  const found = new Map<Node, Rewritten>()
  for (const part of read === undefined ? [] : conditionsIn({ ...read, references: noReferences })) {
    const node = part.kind === "share" && isSentAlike(part) ? part.at?.node : undefined
    if (part.kind !== "share" || node === undefined) continue
    const { text: _, ...share } = part
    const edits = editsOf(file.source.text, node, fieldsOf(share))
    if (edits !== undefined) found.set(node, { share: fieldsOf(share), edits })
  }
  return found
}

/**
 * Whether a share, written with its operator, is sent as the same bytes if it is written as `share`. Below 1 % the number
 * may be a mistake, of which `lint` warns.
 */
function isSentAlike({ text, to, at }: Share): boolean {
  const isText = at?.value?.kind === "scalar" && typeof at.value.value === "string"
  return isText && to <= 100 && text === String(to) && /^(?!0\.)\d+(?:\.\d{1,3})?$/.test(text)
}

const ofOperator = ["attribute", "operator", "value"]

/** `undefined` for a rare layout: a field on several lines, an anchor, or a comment within brackets. */
function editsOf(text: string, { members }: MappingNode, share: Fields): readonly Edit[] | undefined {
  const edits: Edit[] = []
  for (const [at, member] of members.entries()) {
    if (!ofOperator.includes(member.name)) continue
    if (!isOnOneLine(text, member)) return undefined
    const { start } = member.nameSpan
    const { end } = member.value
    const before = members[at - 1]
    if (edits.length === 0) edits.push({ start, end, text: yamlLine(share).slice(2, -2) })
    else if (before === undefined) return undefined
    else if (/^\s*,?\s*$/.test(text.slice(before.value.end, start)))
      edits.push({ start: before.value.end, end, text: "" })
    else if (text.slice(lineStart(text, start), start).trim() === "") edits.push(wholeLine(text, start, end))
    else return undefined
  }
  return edits.length === ofOperator.length ? edits : undefined
}

/** Whether a field is written as `name: value`, without a line break, an anchor or an alias. */
function isOnOneLine(text: string, { nameSpan, value }: Member): boolean {
  return (
    nameSpan.end < value.start &&
    /^\s*:\s*$/.test(text.slice(nameSpan.end, value.start)) &&
    /^[^&\n\r][^\n\r]*$/.test(text.slice(nameSpan.start, value.end))
  )
}

/** Removes a field below a comment: its line, or what stands before the comment on it. */
function wholeLine(text: string, start: number, end: number): Edit {
  const rest = text.slice(end, lineEnd(text, end))
  if (rest.trim() === "") return { start: lineStart(text, start), end: lineEnd(text, end), text: "" }
  return { start, end: end + rest.search(/\S/), text: "" }
}

/** A value as JSON, with the shares in place of the operators. */
function valueWith(node: Node, found: ReadonlyMap<Node, Rewritten>): Json {
  if (node.kind === "scalar") return toValue(node)
  if (node.kind === "sequence") return node.items.map((item) => valueWith(item, found))
  const share = found.get(node)?.share
  const kept =
    share === undefined ? node.members : node.members.filter(({ name }) => !ofOperator.includes(name))
  const fields = kept.map(({ name, value }) => [name, valueWith(value, found)] as const)
  return { ...Object.fromEntries(fields), ...share }
}
