import type { IsWanted } from "../checks/check-files.ts"
import { rulesHaveEffect } from "../checks/rules-have-effect.ts"
import { brokenPaths, createReport, type Diagnostic, type SourceFile } from "../diagnostics/diagnostic.ts"
import type { Flag } from "../language/flag.ts"
import { refuseLarge } from "../reading/files/read-source.ts"
import type { Project } from "../reading/project.ts"
import { openSources } from "./open-project.ts"

/** What is found in the files that are wanted. */
export interface CheckedDrafts {
  readonly flags: readonly Flag[]
  readonly diagnostics: readonly Diagnostic[]
}

/** Checks flag files and segment files that are not written yet, and whether each of their rules has an effect. */
export type CheckDrafts = (sources: readonly SourceFile[], isWanted: IsWanted) => Promise<CheckedDrafts>

/** Checks files as those of a project. */
export function draftsOf(project: Project): CheckDrafts {
  return async (sources, isWanted) => {
    const report = createReport()
    for (const source of sources) refuseLarge(source, report)
    const { flags } = await openSources(project, sources, report, { isWanted })
    const broken = brokenPaths(report)
    for (const flag of flags) if (!broken.has(flag.source.path)) rulesHaveEffect(flag, report)
    return { flags, diagnostics: report.diagnostics }
  }
}
