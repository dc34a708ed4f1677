import { type Diagnostic, type Location, sortDiagnostics } from "./diagnostic.ts"
import { pathOf, rangeOf } from "./location.ts"
import { printableJson } from "./printable.ts"

/** The diagnostics as a JSON array, one object each; `file` is relative to `folder`, `related` has the same members. */
export function formatJson(diagnostics: readonly Diagnostic[], folder: string): string {
  const positioned = (location: Location) => ({ file: pathOf(location, folder), ...rangeOf(location) })
  const rows = sortDiagnostics(diagnostics).map(({ location, severity, code, message, related }) => ({
    ...positioned(location),
    severity,
    code,
    message,
    related: related.map((other) => ({ ...positioned(other.location), message: other.message })),
  }))
  return `${printableJson(JSON.stringify(rows, null, 2))}\n`
}
