import { type Diagnostic, type Place, sortDiagnostics } from "./diagnostic.ts"
import { pathOf, rangeOf } from "./location.ts"
import { printableJson } from "./printable.ts"

/** The diagnostics as a JSON array, one object each; `file` is relative to `folder`, `related` has the same members. */
export function formatJson(diagnostics: readonly Diagnostic[], folder: string): string {
  const positioned = (place: Place) => ({ file: pathOf(place, folder), ...rangeOf(place) })
  const rows = sortDiagnostics(diagnostics).map(({ place, severity, code, message, related }) => ({
    ...positioned(place),
    severity,
    code,
    message,
    related: related.map((other) => ({ ...positioned(other.place), message: other.message })),
  }))
  return `${printableJson(JSON.stringify(rows, null, 2))}\n`
}
