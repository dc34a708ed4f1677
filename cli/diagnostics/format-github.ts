import type { Diagnostic } from "./diagnostic.ts"
import { pathOf, rangeOfLocation } from "./location.ts"
import { printable } from "./printable.ts"
import { printedDiagnostics } from "./printed-diagnostics.ts"

/** The diagnostics as GitHub's workflow commands, one line each: GitHub shows them next to the changed lines. */
export function formatGithub(diagnostics: readonly Diagnostic[], folder: string): string {
  return printedDiagnostics(diagnostics)
    .map(({ location, severity, code, message, related }) => {
      const { line, column, endLine, endColumn } = rangeOfLocation(location)
      // GitHub accepts columns only within one line, and expects the last column instead of the one after it.
      const columns = line === endLine ? { col: column, endColumn: Math.max(column, endColumn - 1) } : {}
      const properties = { file: pathOf(location, folder), line, endLine, ...columns, title: code }
      const others = related.map((other) => {
        return ` ${other.message} (${pathOf(other.location, folder)}:${rangeOfLocation(other.location).line})`
      })
      const written = Object.entries(properties).map(
        ([name, value]) => `${name}=${escapeProperty(`${value}`)}`,
      )
      return `::${severity} ${written.join(",")}::${escapeText([message, ...others].join(""))}\n`
    })
    .join("")
}

/** A line end in the text would start another command, and `%` an escape. */
function escapeText(text: string): string {
  return printable(text).replaceAll("%", "%25")
}

function escapeProperty(text: string): string {
  return escapeText(text).replaceAll(":", "%3A").replaceAll(",", "%2C")
}

/** An error of the whole run, in the same format: GitHub shows it above the run's logs. */
export function formatGithubError(title: string, message: string): string {
  return `::error title=${escapeProperty(title)}::${message.split("\n").map(escapeText).join("%0A")}\n`
}
