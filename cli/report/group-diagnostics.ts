import { type Diagnostic, sortDiagnostics } from "../diagnostics/diagnostic.ts"

/** Diagnostics with the same message, sorted by their first places. */
export function groupDiagnostics(diagnostics: readonly Diagnostic[]): readonly (readonly Diagnostic[])[] {
  return [...Map.groupBy(sortDiagnostics(diagnostics), ({ code, message }) => `${code} ${message}`).values()]
}
