import type { Diagnostic } from "../diagnostics/diagnostic.ts"
import {
  createPaint,
  formatText as formatDiagnostics,
  type Paint,
  where,
} from "../diagnostics/format-text.ts"
import { plainPhrase, unmarkedPhrase } from "../diagnostics/phrase.ts"
import { withoutCommands } from "../diagnostics/workflow-commands.ts"
import { groupDiagnostics } from "./group-diagnostics.ts"
import {
  type CommandReport,
  isEmpty,
  type Printing,
  type Row,
  type Section,
  type TableSection,
} from "./report.ts"

/** A report for a terminal or a log. */
export function reportText(
  { title, summary, notes = [], sections }: Omit<CommandReport, "data">,
  printing: Printing,
): string {
  const paint = createPaint(printing.colour)
  const head = [
    ...(title === undefined ? [] : [unmarkedPhrase(title)]),
    ...(summary === undefined ? [] : [plainPhrase(summary)]),
    ...notes.map((note) => `  ${plainPhrase(note)}`),
  ]
  const blocks = sections
    .filter((section) => !isEmpty(section))
    .map((section) => block(section, paint, printing))
  return withoutCommands([...(head.length === 0 ? [] : [linesOf(head)]), ...blocks].join("\n"))
}

function block(section: Section, paint: Paint, { folder, colour }: Printing): string {
  const heading = section.heading === undefined ? "" : `${paint("bold", unmarkedPhrase(section.heading))}\n`
  switch (section.kind) {
    case "list":
      return `${heading}${linesOf(rowLines(section.rows, paint, heading === "" ? "" : "  "))}`
    case "table":
      return `${heading}${linesOf(tableLines(section, paint))}`
    case "diagnostics": {
      const groups = groupDiagnostics(section.diagnostics).map((alike) => groupText(alike, folder, colour))
      return `${heading}${heading === "" ? "" : "\n"}${groups.join("\n")}`
    }
  }
}

function linesOf(lines: readonly string[]): string {
  return lines.map((line) => `${line}\n`).join("")
}

/** What only the text has follows in a column. */
function rowLines(rows: readonly Row[], paint: Paint, indent: string): readonly string[] {
  const firsts = rows.map(({ subject, what, local }) => ({
    subject: unmarkedPhrase(subject),
    what: what === undefined ? "" : `: ${plainPhrase(what)}`,
    local,
  }))
  const width = Math.max(
    ...firsts.map(({ subject, what, local }) => (local ? subject.length + what.length : 0)),
  )
  return rows.flatMap(({ notes = [], placed = [], rows: inner = [] }, at) => {
    const { subject = "", what = "", local } = firsts[at] ?? {}
    const gap = " ".repeat(Math.max(0, width - subject.length - what.length) + 2)
    return [
      `${indent}${paint("cyan", subject)}${what}${local === undefined ? "" : `${gap}${unmarkedPhrase(local)}`}`,
      ...notes.map((note) => `${indent}  ${plainPhrase(note)}`),
      ...(placed.length > 1
        ? [`${indent}  ${placed.map((one) => unmarkedPhrase(one.subject)).join(", ")}`]
        : []),
      ...rowLines(inner, paint, `${indent}  `),
    ]
  })
}

/** A longer line of a cell is wrapped; a longer word moves the rest of its line. */
const widestColumn = 80

function wrapped(line: string): readonly string[] {
  return line.match(new RegExp(`\\S.{0,${widestColumn - 1}}(?=\\s|$)|\\S+`, "g")) ?? [""]
}

function tableLines({ heading, columns, rows }: TableSection, paint: Paint): readonly string[] {
  const texts = rows.map(({ cells }) => cells.map((lines) => lines.map(unmarkedPhrase).flatMap(wrapped)))
  const widths = columns.map((column, at) => {
    const lengths = texts.flatMap((cells) => (cells[at] ?? []).map(({ length }) => length))
    return Math.max(column.length, ...lengths.filter((length) => length <= widestColumn))
  })
  const indent = heading === undefined ? "" : "  "
  const line = (cells: readonly string[]) =>
    `${indent}${cells.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join("  ")}`.trimEnd()
  return [
    paint("dim", line(columns.map((column) => column.toUpperCase()))),
    ...texts.flatMap((cells) => {
      const height = Math.max(1, ...cells.map(({ length }) => length))
      return Array.from({ length: height }, (_, at) => line(cells.map((lines) => lines[at] ?? "")))
    }),
  ]
}

/** The first of several diagnostics with the same message, and the places of the others. */
function groupText([first, ...others]: readonly Diagnostic[], folder: string, colour: boolean): string {
  const text = first === undefined ? "" : formatDiagnostics([first], folder, colour).replace(/\n$/, "")
  if (others.length === 0) return text
  return `${text}  also at: ${others.map(({ location }) => where(location, folder)).join(", ")}\n`
}
