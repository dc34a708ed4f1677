import { relative } from "node:path"
import { type Diagnostic, type Place, sortDiagnostics } from "./diagnostic.ts"
import { linesOf, positionOf } from "./position.ts"

/** The diagnostics for people: `file:line:column severity code`, the sentence, and the line with the span marked. */
export function formatText(diagnostics: readonly Diagnostic[], folder: string): string {
  return sortDiagnostics(diagnostics)
    .map(({ place, severity, code, message, related }) =>
      [
        `${where(place, folder)} ${severity} ${code}`,
        `  ${message}`,
        ...codeFrame(place),
        ...related.flatMap((other) => [
          `  ${where(other.place, folder)} ${other.message}`,
          ...codeFrame(other.place),
        ]),
      ].join("\n"),
    )
    .map((block) => `${block}\n\n`)
    .join("")
}

/** `2 errors, 1 warning`; only what there is. */
export function formatCounts(diagnostics: readonly Diagnostic[]): string {
  const count = (severity: string) =>
    diagnostics.filter((diagnostic) => diagnostic.severity === severity).length
  return [plural(count("error"), "error"), plural(count("warning"), "warning")]
    .filter((part) => !part.startsWith("0 "))
    .join(", ")
}

/** `1 flag`, `2 flags`. */
export function plural(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`
}

function where({ source, span }: Place, folder: string): string {
  const { line, column } = positionOf(source.text, span.start)
  return `${relative(folder, source.path)}:${line}:${column}`
}

const frameWidth = 160

function codeFrame({ source, span }: Place): readonly string[] {
  if (span.start === 0 && span.end === 0) return []
  const start = positionOf(source.text, span.start)
  const end = positionOf(source.text, span.end)
  const full = linesOf(source.text)[start.line - 1] ?? ""
  // A minified or hostile line must not flood the terminal: a window around the span is shown.
  const from = Math.max(0, start.column - 1 - frameWidth / 2)
  const line = full.slice(from, from + frameWidth)
  const column = start.column - 1 - from
  const width = end.line === start.line ? end.column - start.column : full.length - start.column + 1
  const gutter = String(start.line)
  const marks = "^".repeat(Math.max(1, Math.min(width, line.length - column)))
  return [
    `  ${gutter} | ${printable(line)}`,
    `  ${" ".repeat(gutter.length)} | ${" ".repeat(column)}${marks}`,
  ]
}

/** Control characters in a file could drive the reader's terminal; each is shown as one harmless column. */
function printable(line: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken out
  return line.replaceAll("\t", " ").replace(/[\u0000-\u001f\u007f-\u009f]/g, "\ufffd")
}
