import { check } from "../compile/compile.ts"
import type { Project } from "../compile/project.ts"
import { readSources } from "../compile/read.ts"
import { createReport, type Source } from "../diagnostics/diagnostic.ts"
import { replaceFile } from "../write/replace-file.ts"
import { applyMends } from "./apply-mends.ts"

/** Mends may uncover the next mistake; each round makes at least one of finitely many. */
const maxRounds = 10

/** What `mendFiles` did. */
export interface Mended {
  readonly mends: number
  readonly files: number
}

/** Makes every certain mend in a project's flag files. Throws where a file cannot be written. */
export function mendFiles(project: Project): Mended {
  const original = new Map(readSources(project.folder, createReport()).map((source) => [source.path, source]))
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
  return { mends, files: changed.length }
}
