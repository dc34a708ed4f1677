import type { Diagnostic } from "../diagnostics/diagnostic.ts"
import { printedDiagnostics } from "../diagnostics/printed-diagnostics.ts"

/** Diagnostics with the same message, sorted by their first places. */
export function groupDiagnostics(diagnostics: readonly Diagnostic[]): readonly (readonly Diagnostic[])[] {
  return [
    ...Map.groupBy(printedDiagnostics(diagnostics), ({ code, message }) => `${code} ${message}`).values(),
  ]
}
