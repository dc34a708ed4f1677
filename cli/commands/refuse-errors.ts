import { formatCounts, formatText } from "../diagnostics/format-text.ts"
import { hasColour, pathsFrom } from "../diagnostics/terminal.ts"
import type { Diff } from "../diff/changes/diff.ts"
import type { OpenSide } from "../diff/sides/open-sides.ts"
import type { Host } from "../host.ts"

/** Whether flags have errors, which are then printed: a command that edits files writes nothing. */
export function refuseErrors({ errors }: Pick<OpenSide, "errors">, host: Host): boolean {
  if (errors.length === 0) return false
  host.stderr.write(formatText(errors, pathsFrom(host), hasColour(host, "stderr")))
  host.stderr.write(`${formatCounts(errors)}: nothing was written\n`)
  return true
}

/** Whether an edit breaks an invariant, or may; that is then printed, and nothing is written. */
export function refuseBroken({ warnings }: Diff, host: Host): boolean {
  return refuseErrors({ errors: warnings.filter(({ severity }) => severity === "error") }, host)
}
