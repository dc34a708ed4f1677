import type { AliasEvent } from "js-yaml"
import type { Edit, Span } from "../diagnostics/diagnostic.ts"
import { quoted } from "../diagnostics/suggest.ts"
import type { Node } from "../language/tree.ts"
import { type Anchor, type Reading, refuse } from "./reading.ts"
import { count } from "./size.ts"

/** Records the anchor of the next value. The offsets enclose its name. */
export function openAnchor(reading: Reading, start: number, end: number): Anchor {
  const { text } = reading.source
  const anchor: Anchor = {
    name: text.slice(start, end),
    span: { start: start - 1, end },
    isUsed: false,
    target: undefined,
  }
  reading.anchors.push(anchor)
  reading.anchorOf.set(anchor.name, anchor)
  if (text[start - 2] === "\t" || /[[{]/.test(text[end] ?? ""))
    refuse(reading, "syntax", "Put spaces around the anchor.", anchor.span)
  return anchor
}

/** The node that an alias refers to; trees share it. */
export function followAlias(reading: Reading, { anchorStart, anchorEnd }: AliasEvent): Node {
  const name = reading.source.text.slice(anchorStart, anchorEnd)
  const span = { start: anchorStart - 1, end: anchorEnd }
  reading.offset = anchorEnd
  const anchor = reading.anchorOf.get(name)
  if (anchor?.target !== undefined) {
    anchor.isUsed = true
    count(reading, anchor.target.size, span)
    return anchor.target.node
  }
  const message =
    anchor === undefined
      ? noAnchor(name)
      : `${quoted(`*${name}`)} refers to a value that contains it. Write out the value.`
  refuse(reading, anchor === undefined ? "unresolved-alias" : "alias-cycle", message, span)
  return { kind: "scalar", value: null, plain: true, ...span }
}

/** An anchor's name is a word; an alias with other characters is probably unquoted text. */
function noAnchor(name: string): string {
  return /^[\w-]+$/.test(name)
    ? `No anchor ${quoted(`&${name}`)} is defined before this. Write out the value, or quote it if it is text.`
    : `Text that starts with \`*\` must be quoted: ${quoted(JSON.stringify(`*${name}`))}.`
}

/** Reports the anchors that no alias uses. */
export function warnOfUnusedAnchors(reading: Reading): void {
  for (const { name, span, isUsed } of reading.anchors) {
    if (isUsed) continue
    const message = `No alias ${quoted(`*${name}`)} uses this anchor. Remove it.`
    const { source, report } = reading
    report.add({ code: "unused-anchor", message, source, span, fix: removing(span, source.text) })
  }
}

/** The edit that removes an anchor before a value on its line, or at the end of a member's line. */
function removing({ start, end }: Span, text: string): Edit | undefined {
  const [blanks] = /^ +(?=[^\s,\]}:#])/.exec(text.slice(end, end + mostBlanks)) ?? []
  if (blanks !== undefined) return { start, end: end + blanks.length, text: "" }
  const isLast = text[start - 1] === " " && text[start - 2] === ":" && /^\r?\n/.test(text.slice(end, end + 2))
  return isLast ? { start: start - 1, end, text: "" } : undefined
}

const mostBlanks = 20
