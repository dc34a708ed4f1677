import type { Report } from "../../diagnostics/diagnostic.ts"
import type { Definition } from "../definition/definition.ts"
import { configurationsHaveEffect } from "./configurations-have-effect.ts"
import { flagsHaveNotExpired } from "./flags-have-not-expired.ts"

/**
 * Reports what compiles and should probably be changed. Only lint does, because a build has no clock. `now` is in
 * milliseconds since 1970.
 */
export function advise(definitions: readonly Definition[], now: number, report: Report): void {
  const errors = report.diagnostics.filter(({ severity }) => severity === "error")
  const paths = new Set(errors.map(({ location }) => location.source.path))
  for (const definition of definitions) {
    // While a file has errors, nobody can tell what its flag does.
    if (!paths.has(definition.source.path)) configurationsHaveEffect(definition, report)
    flagsHaveNotExpired(definition, now, report)
  }
}
