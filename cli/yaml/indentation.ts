import type { Span } from "../diagnostics/diagnostic.ts"
import { readEvents } from "./events.ts"
import type { OtherPlace } from "./reading.ts"

/** A line that starts in the wrong column, and a sibling that starts in the right one. */
interface IndentationDiagnosis {
  readonly message: string
  readonly span: Span
  readonly related: OtherPlace
}

/** A line outside block scalars that is neither blank nor only a comment. Columns count from 0. */
interface Line {
  readonly start: number
  readonly column: number
  /** Where its content starts: after the dashes of list items. */
  readonly contentColumn: number
  /** Ends in a colon, so its value follows below. */
  readonly isOpen: boolean
}

/** Each candidate is parsed, so longer texts get the parser's own reason. */
const longest = 50_000

/**
 * Finds the wrong indentation that makes a text invalid. Tries the line at `offset`, where the parser stopped, in each
 * column in which a line above it starts. It belongs in the nearest column that lets the parser get past it.
 * `undefined` if no column does: then something else is wrong.
 */
export function diagnoseIndentation(text: string, offset: number): IndentationDiagnosis | undefined {
  if (text.length > longest) return undefined
  const lines = findLines(text)
  const at = lines.findLastIndex(({ start }) => start <= offset)
  const line = lines[at]
  if (line === undefined) return undefined
  return oddOneOut(text, lines, at) ?? nearestMove(text, lines, at, line)
}

/** The line above, if its neighbours on both sides start in the same column and it does not. */
function oddOneOut(text: string, lines: readonly Line[], at: number): IndentationDiagnosis | undefined {
  const [before, odd, line] = lines.slice(Math.max(0, at - 2), at + 1)
  if (before === undefined || odd === undefined || line === undefined) return undefined
  const column = line.column
  if (before.contentColumn !== column || odd.contentColumn >= column || odd.column !== odd.contentColumn)
    return undefined
  return stopAfter(move(text, odd, column)) > line.start + column - odd.column
    ? diagnose(text, odd, column, before)
    : undefined
}

function nearestMove(
  text: string,
  lines: readonly Line[],
  at: number,
  line: Line,
): IndentationDiagnosis | undefined {
  const above = lines.slice(0, at)
  const columns = new Set(above.flatMap(({ column, contentColumn }) => [column, contentColumn]))
  columns.delete(line.column)
  const neighbourIn = (column: number) =>
    above.findLast((other) => other.column === column || other.contentColumn === column)
  const distance = (column: number) => Math.abs(column - line.column)
  const isUnlike = (column: number) => Number(neighbourIn(column)?.isOpen !== line.isOpen)
  const candidates = [...columns]
    .sort((a, b) => distance(a) - distance(b) || isUnlike(a) - isUnlike(b) || b - a)
    .slice(0, mostCandidates)
  const column = candidates.find((candidate) => {
    const end = lineEnd(text, line.start) + candidate - line.column
    return stopAfter(move(text, line, candidate)) > end
  })
  const neighbour = column === undefined ? undefined : neighbourIn(column)
  return column === undefined || neighbour === undefined ? undefined : diagnose(text, line, column, neighbour)
}

const mostCandidates = 12

function diagnose(text: string, line: Line, column: number, neighbour: Line): IndentationDiagnosis {
  return {
    message: wrongColumn(line.column, column),
    span: nameAt(text, line.start + line.column),
    related: besideThis(nameAt(text, neighbour.start + column)),
  }
}

/** The message about a line that starts in one column and belongs in another. Both count from 0. */
export function wrongColumn(is: number, should: number): string {
  const count = Math.abs(is - should)
  const spaces = `${count} ${count === 1 ? "space" : "spaces"}`
  const fix = is > should ? `Remove ${spaces}` : `Add ${spaces}`
  return `This starts in column ${is + 1}, but its siblings start in column ${should + 1}. ${fix}.`
}

/** The diagnostic's related place: a sibling of the misplaced line. */
export function besideThis(span: Span): OtherPlace {
  return { message: "It should line up with this.", span }
}

/** A member's name or an item's dash. */
function nameAt(text: string, start: number): Span {
  const [name = ""] = /^(?:-(?= )|[^\s:]+)/.exec(text.slice(start, start + 200)) ?? []
  return { start, end: start + Math.max(1, name.length) }
}

/** The offset where the parser stops; infinite if it reads everything. */
function stopAfter(text: string): number {
  const result = readEvents(text)
  return result.kind === "refused" ? result.offset : Number.POSITIVE_INFINITY
}

function move(text: string, { start, column }: Line, to: number): string {
  return `${text.slice(0, start)}${" ".repeat(to)}${text.slice(start + column)}`
}

function findLines(text: string): readonly Line[] {
  const lines: Line[] = []
  let headerColumn: number | undefined // of the line that a block scalar follows
  let blockColumn: number | undefined // of the scalar's first line
  for (const { 0: written, 1: indent = "", 2: dashes = "", index } of text.matchAll(
    /^( *)((?:- +)*)[^\s#].*$/gm,
  )) {
    const column = indent.length
    if (headerColumn !== undefined && column > headerColumn) blockColumn = column
    headerColumn = undefined
    if (blockColumn !== undefined && column >= blockColumn) continue
    blockColumn = undefined
    if (/[:-] +(?:&\S+ +)?[|>][-+\d]*\s*(?: #.*)?$/.test(written)) headerColumn = column
    lines.push({
      start: index,
      column,
      contentColumn: column + dashes.length,
      isOpen: /:\s*(?: #.*)?$/.test(written),
    })
  }
  return lines
}

function lineEnd(text: string, offset: number): number {
  const end = text.indexOf("\n", offset)
  return end === -1 ? text.length : end
}
