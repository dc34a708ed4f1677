import { relative } from "node:path"
import { type Diagnostic, type Place, sortDiagnostics } from "./diagnostic.ts"
import { positionOf } from "./position.ts"

/** The diagnostics as a JSON array, one object each; `file` is relative to `folder`, `related` has the same members. */
export function formatJson(diagnostics: readonly Diagnostic[], folder: string): string {
  const rows = sortDiagnostics(diagnostics).map(({ place, severity, code, message, related }) => ({
    ...positioned(place, folder),
    severity,
    code,
    message,
    related: related.map((other) => ({ ...positioned(other.place, folder), message: other.message })),
  }))
  return `${JSON.stringify(rows, null, 2)}\n`
}

function positioned({ source, span }: Place, folder: string) {
  const start = positionOf(source.text, span.start)
  const end = positionOf(source.text, span.end)
  return {
    file: relative(folder, source.path),
    line: start.line,
    column: start.column,
    endLine: end.line,
    endColumn: end.column,
  }
}
