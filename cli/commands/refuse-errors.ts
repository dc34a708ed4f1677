import { resolve } from "node:path"
import { createReport, errorsIn } from "../diagnostics/diagnostic.ts"
import { printObstacles } from "../diagnostics/print.ts"
import type { Diff } from "../diff/changes/diff.ts"
import type { OpenSide } from "../diff/sides/open-sides.ts"
import { readWorkTree, type WorkTree } from "../evaluate/read-work-tree.ts"
import type { ExitStatus, Host } from "../host.ts"
import { folderFiles } from "../project/files.ts"

/** The flags in a folder; if there are errors, prints them with what they prevented, and returns the exit status. */
export async function readSoundFlags(
  flags: string,
  prevented: string,
  host: Host,
): Promise<WorkTree | ExitStatus> {
  const report = createReport()
  const tree = await readWorkTree(folderFiles(resolve(host.cwd, flags)), report)
  if (tree !== undefined && !report.hasErrors) return tree
  printObstacles(errorsIn(report.diagnostics), prevented, host)
  return tree === undefined ? 2 : 1
}

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
