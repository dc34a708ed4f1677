import { join } from "node:path"
import { adviseOnComparisons, adviseOnLists } from "../checks/advice.ts"
import { createReport, type SourceFile } from "../diagnostics/diagnostic.ts"
import { folderFiles } from "../project/files.ts"
import { openSources, readFiles } from "../project/open-project.ts"
import { projectFileName } from "../reading/files/file-names.ts"
import { readProject } from "../reading/project.ts"
import { applyFixes } from "./apply-fixes.ts"
import { replaceSource } from "./replace-source.ts"

/** What `fixFiles` did. */
export interface Fixed {
  readonly fixes: number
  readonly files: number
}

/** A fix may uncover the next one, so the files are checked again after each round. */
const maxRounds = 10

/**
 * Makes every certain fix in the files of a flags folder, the project file first; `isNamed` returns whether the file at
 * a path may be changed. Throws if a file cannot be written.
 */
export async function fixFiles(
  folder: string,
  isNamed: (path: string) => boolean = () => true,
): Promise<Fixed> {
  const isProjectNamed = isNamed(join(folder, projectFileName))
  const projectFile = isProjectNamed ? await fixProjectFile(folder) : { fixes: 0, files: 0 }
  const { settings, sources } = readFiles(folderFiles(folder), createReport())
  if (!settings?.isWhole) return projectFile
  const original = new Map(sources.map((source) => [source.path, source]))
  const current = new Map<string, SourceFile>(original)
  let fixes = 0
  for (let round = 0; round < maxRounds; round++) {
    const report = createReport()
    const { flags, defined, invariants } = await openSources(settings.project, [...current.values()], report)
    const files = [...defined, ...invariants, ...flags]
    for (const file of files) adviseOnComparisons(file, report)
    adviseOnLists(files, report)
    const fixed = applyFixes(report.diagnostics.filter(({ location }) => isNamed(location.source.path)))
    if (fixed.length === 0) break
    for (const { source, fixes: made } of fixed) {
      current.set(source.path, source)
      fixes += made
    }
  }
  const changed = [...original.values()].filter(({ path, text }) => current.get(path)?.text !== text)
  for (const source of changed) await replaceSource(source, current.get(source.path)?.text ?? source.text)
  return { fixes: projectFile.fixes + fixes, files: projectFile.files + changed.length }
}

/** The flags cannot be checked without a project file, so its fixes are made and written first. */
async function fixProjectFile(folder: string): Promise<Fixed> {
  let fixes = 0
  for (let round = 0; round < maxRounds; round++) {
    const report = createReport()
    readProject(folder, report)
    const [fixed] = applyFixes(report.diagnostics)
    if (fixed === undefined) break
    await replaceSource(fixed.read, fixed.source.text)
    fixes += fixed.fixes
  }
  return { fixes, files: fixes === 0 ? 0 : 1 }
}
