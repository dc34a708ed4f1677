import { compareText, type Diagnostic } from "./diagnostic.ts"
import { maskDiagnostic } from "./mask-secrets.ts"

/**
 * The diagnostics as every format prints them: by file, then place, then code, and without secrets, because CI's logs have more
 * readers than the repository.
 */
export function printedDiagnostics(diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  return diagnostics
    .map(maskDiagnostic)
    .sort(
      (a, b) =>
        compareText(a.location.source.path, b.location.source.path) ||
        a.location.span.start - b.location.span.start ||
        compareText(a.code, b.code),
    )
}
