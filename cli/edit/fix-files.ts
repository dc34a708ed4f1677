import { check } from "../compile/checks/check.ts"
import { readProject } from "../compile/definition/project.ts"
import { readSources } from "../compile/definition/read.ts"
import { createReport, type Source } from "../diagnostics/diagnostic.ts"
import { replaceFile } from "../write/replace-file.ts"
import { applyMends } from "./apply-fixes.ts"

/** What `mendFiles` did. */
export interface Mended {
  readonly mends: number
  readonly files: number
}

/** A mend may uncover the next mistake; each round makes at least one of finitely many. */
const maxRounds = 10

/** Makes every certain mend in the files of a flags folder, the project file first. Throws where one cannot be written. */
export function mendFiles(folder: string): Mended {
  const projectFile = mendProjectFile(folder)
  const project = readProject(folder, createReport())
  if (project === undefined) return projectFile
  const original = new Map(readSources(folder, createReport()).map((source) => [source.path, source]))
  const current = new Map<string, Source>(original)
  let mends = 0
  for (let round = 0; round < maxRounds; round++) {
    const report = createReport()
    check([...current.values()], project, report)
    const mended = applyMends(report.diagnostics)
    if (mended.length === 0) break
    for (const { source, mends: made } of mended) {
      current.set(source.path, source)
      mends += made
    }
  }
  const changed = [...current.values()].filter(({ path, text }) => original.get(path)?.text !== text)
  for (const { path, text } of changed) replaceFile(path, text)
  return { mends: projectFile.mends + mends, files: projectFile.files + changed.length }
}

/** Without a project file nothing is known of the flags, so its mends are made and written before theirs. */
function mendProjectFile(folder: string): Mended {
  let mends = 0
  for (let round = 0; round < maxRounds; round++) {
    const report = createReport()
    readProject(folder, report)
    const [mended] = applyMends(report.diagnostics)
    if (mended === undefined) break
    replaceFile(mended.source.path, mended.source.text)
    mends += mended.mends
  }
  return { mends, files: mends === 0 ? 0 : 1 }
}
