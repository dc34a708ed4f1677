import { join } from "node:path"
import { wholeFile } from "../../diagnostics/diagnostic.ts"
import { plural } from "../../diagnostics/format-text.ts"
import type { Project } from "../definition/project.ts"
import type { HistoryContext, HistoryOptions } from "./history-context.ts"

/** Outside git the times are those of the files, which differ from one check-out to the next. */
export function reportOutside(reason: string, { project, report, options }: HistoryContext): void {
  const message = `The times are those of the files, not of commits: ${reason}.`
  report.add({ code: "not-in-git", severity: severityOf(options), message, ...projectFile(project) })
}

/** In a shallow clone everything seems to have been created by the oldest commit that is there. */
export function reportShallow({ project, report, options }: HistoryContext): void {
  const message =
    "The clone is shallow, so the times would be wrong. Clone with the whole history (fetch-depth: 0)."
  const severity = options.allowShallow ? "warning" : "error"
  report.add({ code: "shallow-clone", severity, message, ...projectFile(project) })
}

/** Uncommitted changes have no time of their own yet. `paths` are from the flags folder. */
export function reportUncommitted(
  paths: readonly string[],
  { project, report, options }: HistoryContext,
): void {
  const named = paths.length > maxNamed ? `, the first ${maxNamed} of which are named here` : ""
  const what = `${plural(paths.length, "file")}${named}`
  const message = `Not committed: ${what}. Until then the changes have the newest commit's time.`
  const severity = severityOf(options)
  const related = paths.slice(0, maxNamed).map((path) => ({
    message: "It differs from the newest commit.",
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
