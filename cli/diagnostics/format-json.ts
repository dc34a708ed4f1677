import type { Diagnostic, Location } from "./diagnostic.ts"
import { pathOf, rangeOfLocation } from "./location.ts"
import { printableJson } from "./printable.ts"
import { printedDiagnostics } from "./printed-diagnostics.ts"

/** The diagnostics as a JSON array, one object each; `file` is relative to `folder`, `related` has the same members. */
export function formatJson(diagnostics: readonly Diagnostic[], folder: string): string {
  return `${printableJson(JSON.stringify(diagnosticRows(diagnostics, folder), null, 2))}\n`
}

/** The elements of that array. */
export function diagnosticRows(diagnostics: readonly Diagnostic[], folder: string): readonly object[] {
  const positioned = (location: Location) => ({
    file: pathOf(location, folder),
    ...rangeOfLocation(location),
  })
  return printedDiagnostics(diagnostics).map(({ location, severity, code, message, related }) => ({
    ...positioned(location),
    severity,
    code,
    message,
    related: related.map((other) => ({ ...positioned(other.location), message: other.message })),
  }))
}
