import { join } from "node:path"
import { wholeFile } from "../diagnostics/diagnostic.ts"
import { plural } from "../diagnostics/plural.ts"
import type { Project } from "../reading/project.ts"
import type { HistoryContext, HistoryOptions } from "./history-context.ts"

/** Outside git, the times come from the files, which differ from one checkout to the next. */
export function reportOutside(reason: string, { project, report, options }: HistoryContext): void {
  const message = `The times come from the files, not from commits: ${reason}.`
  report.add({ code: "not-in-git", severity: severityOf(options), message, ...projectFile(project) })
}

/** In a shallow clone, the oldest available commit seems to have created everything. */
export function reportShallow({ project, report, options }: HistoryContext): void {
  const message =
    "This is a shallow clone, so the times would be wrong. Clone the full history (fetch-depth: 0)."
  const severity = options.allowShallow ? "warning" : "error"
  report.add({ code: "shallow-clone", severity, message, ...projectFile(project) })
}

/** Uncommitted changes have no time of their own yet. `paths` are relative to the flags folder. */
export function reportUncommitted(
  paths: readonly string[],
  { project, report, options }: HistoryContext,
): void {
  const named = paths.length > maxNamed ? ` (the first ${maxNamed} are listed)` : ""
  const what = `${plural(paths.length, "file")}${named}`
  const message = `Uncommitted changes in ${what}. Until you commit them, they have the newest commit's time.`
  const severity = severityOf(options)
  const related = paths.slice(0, maxNamed).map((path) => ({
    message: "This differs from the newest commit.",
    location: { source: { path: join(project.folder, path), text: "" }, span: wholeFile },
  }))
  report.add({ code: "not-committed", severity, message, related, ...projectFile(project) })
}

const maxNamed = 5

function severityOf({ requireClean }: HistoryOptions): "error" | "warning" {
  return requireClean ? "error" : "warning"
}

function projectFile({ source }: Project) {
  return { source, span: wholeFile }
}
