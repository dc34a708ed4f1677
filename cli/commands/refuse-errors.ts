import { errorsIn } from "../diagnostics/diagnostic.ts"
import { printObstacles } from "../diagnostics/print.ts"
import type { Diff } from "../diff/changes/diff.ts"
import type { OpenSide } from "../diff/sides/open-sides.ts"
import type { Host } from "../host.ts"

/** Whether flags have errors, which are then printed: a command that edits files writes nothing. */
export function refuseErrors({ errors }: Pick<OpenSide, "errors">, host: Host): boolean {
  if (errors.length === 0) return false
  printObstacles(errors, "nothing was written", host)
  return true
}

/** Whether an edit breaks an invariant, or may; that is then printed, and nothing is written. */
export function refuseBroken({ warnings }: Diff, host: Host): boolean {
  return refuseErrors({ errors: errorsIn(warnings) }, host)
}
