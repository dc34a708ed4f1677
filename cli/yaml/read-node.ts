import {
  type AliasEvent,
  COLLECTION_STYLE,
  EVENT_ID,
  type MappingEvent,
  SCALAR_STYLE,
  type ScalarEvent,
  type SequenceEvent,
} from "js-yaml"
import type { Span } from "../diagnostics/diagnostic.ts"
import { quoted } from "../diagnostics/suggest.ts"
import { findMember, type MappingNode, type Member, type Node, type SequenceNode } from "../language/tree.ts"
import { followAlias, openAnchor } from "./anchors.ts"
import { flowEnd, type Mark, skipBlank } from "./gaps.ts"
import { type Reading, readMuted, refuse, takeEnd, takeEvent, warn } from "./reading.ts"
import { readPlace, readScalar, readText, toScalar } from "./scalar.ts"
import { count, sizeOfText } from "./size.ts"
import { refuseSameLine } from "./strict.ts"

/** Deeper values are refused, because every reader of a snapshot has a limited stack. */
const maxDepth = 64

export const tooDeep = `Values are nested more than ${maxDepth} levels deep. Flatten them.`
const explicitTag = "Remove the tag: a value's type follows from how it is written."
const complexKey = "A field's name must be plain text. Quote a name that starts with `{`, `[` or `*`."
const noName = "A field needs a name before its colon."
const mergeKey = "Merge keys are not supported. Write out the fields."

/** Reads the value after a mark, and refuses one whose meaning is in doubt. */
export function readNode(reading: Reading, mark: Mark, depth: number): Node {
  const event = takeEvent(reading)
  if (event.type === EVENT_ID.ALIAS) return followAlias(reading, event)
  const { anchorStart, anchorEnd, tagStart } = event
  const anchor = anchorStart === -1 ? undefined : openAnchor(reading, anchorStart, anchorEnd)
  const before = reading.size
  const isRefused = depth > maxDepth || tagStart !== -1
  const node = isRefused
    ? refuseContent(reading, event, mark, depth)
    : readContent(reading, event, mark, depth)
  if (anchor !== undefined) anchor.target = { node, size: reading.size - before }
  return node
}

/** Separate from `readNode`, where this closure would allocate at every value. */
function refuseContent(reading: Reading, event: ContentEvent, mark: Mark, depth: number): Node {
  const node = readMuted(reading, () => readContent(reading, event, mark, depth))
  if (depth > maxDepth) refuse(reading, "too-deep", tooDeep, { start: node.start, end: node.end })
  else refuseTag(reading, event)
  return node
}

type ContentEvent = ScalarEvent | SequenceEvent | MappingEvent

function readContent(reading: Reading, event: ContentEvent, mark: Mark, depth: number): Node {
  if (event.type === EVENT_ID.SCALAR) {
    const node = readScalar(reading, event, mark)
    count(reading, sizeOfText(node), node)
    return node
  }
  const before = reading.offset
  const isSequence = event.type === EVENT_ID.SEQUENCE
  const node = isSequence ? readSequence(reading, event, depth) : readMapping(reading, event, depth)
  if (mark === ":" && event.style === COLLECTION_STYLE.BLOCK) refuseSameLine(reading, before, node)
  count(reading, 1, node)
  return node
}

function readSequence(reading: Reading, { start, style }: SequenceEvent, depth: number): SequenceNode {
  const isFlow = style === COLLECTION_STYLE.FLOW
  const items: Node[] = []
  reading.offset = isFlow ? start + 1 : start
  while (!takeEnd(reading)) items.push(readNode(reading, "-", depth + 1))
  if (isFlow) reading.offset = flowEnd(reading.source.text, reading.offset, "]")
  return { kind: "sequence", items, start, end: reading.offset }
}

function readMapping(reading: Reading, event: MappingEvent, depth: number): MappingNode {
  const { start, style } = event
  const hasBraces = style === COLLECTION_STYLE.FLOW && !isPair(reading, event)
  const members: Members = { list: [], byName: undefined }
  reading.offset = hasBraces ? start + 1 : start
  while (!takeEnd(reading)) {
    const before = reading.offset
    const member = readMember(reading, depth)
    if (member === undefined) continue
    const { name, nameSpan } = member
    if (style === COLLECTION_STYLE.BLOCK && before > start) refuseSameLine(reading, before, nameSpan)
    const first = addMember(members, member)
    if (first !== undefined) {
      const message = `${quoted(name)} appears twice. Remove one of them.`
      warn(reading, "duplicate-field", message, nameSpan, {
        message: "The first is here.",
        span: first.nameSpan,
      })
    }
  }
  if (hasBraces) reading.offset = flowEnd(reading.source.text, reading.offset, "}")
  return { kind: "mapping", members: members.list, start, end: reading.offset }
}

/** Whether a mapping in flow style is a single `name: value` in a list, which needs no braces. */
function isPair({ source, events, next }: Reading, { start }: MappingEvent): boolean {
  const key = events[next]
  return source.text[start] !== "{" || (key?.type === EVENT_ID.MAPPING && key.start === start)
}

/** `undefined` if the name is refused; nothing in its value is then reported. */
function readMember(reading: Reading, depth: number): Member | undefined {
  const event = takeEvent(reading)
  if (event.type !== EVENT_ID.SCALAR) {
    refuseComplexKey(reading, event, depth)
    return muteNode(reading, ":", depth + 1)
  }
  const nameSpan = readPlace(reading, event, "?")
  const name = readText(reading, event)
  const size = sizeOfText(nameSpan)
  if (size > 1) count(reading, size - 1, nameSpan)
  if (event.anchorStart !== -1) {
    const node = toScalar(event, name, nameSpan)
    openAnchor(reading, event.anchorStart, event.anchorEnd).target = { node, size }
  }
  if (refuseName(reading, event, name, nameSpan)) return muteNode(reading, ":", depth + 1)
  return { name, nameSpan, value: readNode(reading, ":", depth + 1) }
}

/** Skips a value without reporting anything. */
function muteNode(reading: Reading, mark: Mark, depth: number): undefined {
  readMuted(reading, () => readNode(reading, mark, depth))
}

function refuseComplexKey(reading: Reading, event: ComplexKeyEvent, depth: number): void {
  const start = event.type === EVENT_ID.ALIAS ? event.anchorStart - 1 : event.start
  reading.next--
  muteNode(reading, "?", depth + 1)
  refuse(reading, "complex-key", complexKey, { start, end: reading.offset })
}

type ComplexKeyEvent = AliasEvent | SequenceEvent | MappingEvent

/** Returns whether a member's name is refused. */
function refuseName(reading: Reading, event: ScalarEvent, name: string, span: Span): boolean {
  if (event.tagStart !== -1) refuseTag(reading, event)
  else if (event.style !== SCALAR_STYLE.PLAIN) return false
  else if (name === "") refuseNoName(reading, span)
  else if (name === "<<") refuse(reading, "merge-key", mergeKey, span)
  else return false
  return true
}

function refuseTag(reading: Reading, { tagStart: start, tagEnd: end }: ContentEvent): void {
  refuse(reading, "explicit-tag", explicitTag, { start, end })
}

function refuseNoName(reading: Reading, { start }: Span): void {
  const colon = skipBlank(reading.source.text, start)
  refuse(reading, "complex-key", noName, { start: colon, end: colon + 1 })
}

/** The members of a mapping that is being read. */
interface Members {
  readonly list: Member[]
  /** Only for large mappings: searching a few members is faster, but a hostile file may have thousands. */
  byName: Map<string, Member> | undefined
}

/** Adds a member and returns `undefined`; if its name is taken, returns the member that has it. */
function addMember(members: Members, member: Member): Member | undefined {
  const { list, byName } = members
  const { name } = member
  const first = byName === undefined ? findMember(list, name) : byName.get(name)
  if (first !== undefined) return first
  list.push(member)
  byName?.set(name, member)
  if (list.length === 32) members.byName = new Map(list.map((member) => [member.name, member]))
  return undefined
}
