import type { Report } from "../../diagnostics/diagnostic.ts"
import type { Definition } from "../definition/definition.ts"
import { configurationsHaveEffect } from "./configurations-have-effect.ts"
import { flagsHaveNotExpired } from "./flags-have-not-expired.ts"

/**
 * What lint says beyond the checks: what compiles, and still deserves a word. A build says nothing of it, for it has no
 * clock to ask. `now` is in milliseconds since the epoch.
 */
export function advise(definitions: readonly Definition[], now: number, report: Report): void {
  // Of a file with errors nobody knows what it would do.
  const faulty = report.diagnostics.filter(({ severity }) => severity === "error")
  const paths = new Set(faulty.map(({ location }) => location.source.path))
  configurationsHaveEffect(
    definitions.filter(({ source }) => !paths.has(source.path)),
    report,
  )
  flagsHaveNotExpired(definitions, now, report)
}
