import { createRequire } from "node:module"
import type { Diagnostic, Location } from "./diagnostic.ts"
import { pathOf } from "./location.ts"
import { maskSecrets } from "./mask-secrets.ts"
import { plural } from "./plural.ts"
import { lineOf, positionOf } from "./position.ts"
import { printable } from "./printable.ts"
import { printedDiagnostics } from "./printed-diagnostics.ts"
import { withoutCommands } from "./workflow-commands.ts"

/** The diagnostics for readers: `file:line:column severity code`, the message, and the line with the span marked. */
export function formatText(diagnostics: readonly Diagnostic[], folder: string, colour = false): string {
  const paint = createPaint(colour)
  const text = printedDiagnostics(diagnostics)
    .map(({ location, severity, code, message, related }) =>
      [
        `${paint("bold", where(location, folder))} ${paint(colours[severity], severity)} ${paint("dim", code)}`,
        `  ${printable(message)}`,
        ...codeFrame(location, (marks) => paint(colours[severity], marks)),
        ...related.flatMap((other) => [
          `  ${paint("bold", where(other.location, folder))} ${printable(other.message)}`,
          ...codeFrame(other.location, (marks) => paint("cyan", marks)),
        ]),
      ].join("\n"),
    )
    .map((block) => `${block}\n\n`)
    .join("")
  return withoutCommands(text)
}

/** `2 errors, 1 warning`, without zeros. */
export function formatCounts(diagnostics: readonly Diagnostic[]): string {
  const count = (severity: string) =>
    diagnostics.filter((diagnostic) => diagnostic.severity === severity).length
  return [plural(count("error"), "error"), plural(count("warning"), "warning")]
    .filter((part) => !part.startsWith("0 "))
    .join(", ")
}

const colours = { error: "red", warning: "yellow" } as const

/** Styles text, on a terminal that has colours. */
export type Paint = (style: "bold" | "dim" | "red" | "yellow" | "cyan", text: string) => string

export function createPaint(colour: boolean): Paint {
  if (!colour) return (_style, text) => text
  const { styleText }: typeof import("node:util") = require("node:util")
  return (style, text) => styleText(style, text, { validateStream: false })
}

/** A place as `file:line:column`. */
export function where(location: Location, folder: string): string {
  const { line, column } = positionOf(location.source, location.span.start)
  return `${printable(pathOf(location, folder))}:${line}:${column}`
}

const frameWidth = 160
/** Longer than any secret of ours with the name of its variable. */
const mostOfSecret = 1000

function codeFrame({ source, span }: Location, paint: (marks: string) => string): readonly string[] {
  if (span.start === 0 && span.end === 0) return []
  const start = positionOf(source, span.start)
  const end = positionOf(source, span.end)
  const full = lineOf(source, start.line)
  // A minified or hostile line must not flood the terminal, so only a window around the span is shown.
  const from = Math.max(0, start.column - 1 - frameWidth / 2)
  const line = maskSecretsIn(full, from, from + frameWidth)
  const column = start.column - 1 - from
  const until = end.line === start.line ? end.column - 1 - from : line.length
  // Terminals show some characters in two columns and some in none, and the marks must be below the span.
  const before = " ".repeat(widthOf(printable(line.slice(0, column))))
  const marks = "^".repeat(Math.max(1, widthOf(printable(line.slice(column, until)))))
  const gutter = String(start.line)
  return [`  ${gutter} | ${printable(line)}`, `  ${" ".repeat(gutter.length)} | ${before}${paint(marks)}`]
}

/** A part of a text with its secrets masked, those that the part cuts, too. */
function maskSecretsIn(text: string, from: number, to: number): string {
  const before = Math.min(from, mostOfSecret)
  return maskSecrets(text.slice(from - before, to + mostOfSecret)).slice(before, before + to - from)
}

/** In columns. The library is loaded only for text that needs it, because its tables take long to load. */
function widthOf(text: string): number {
  if (/^[\x20-\x7e]*$/.test(text)) return text.length
  const { default: stringWidth }: typeof import("string-width") = require("string-width")
  return stringWidth(text)
}

const require = createRequire(import.meta.url)
