import { compileFiles } from "../compile/compile.ts"
import { isSegmentPath } from "../compile/read/file-names.ts"
import { createReport } from "../diagnostics/diagnostic.ts"
import { readSpecFiles } from "../specs/spec-files.ts"
import type { CatalogRequest } from "./catalog-request.ts"
import { createKnownFlags } from "./known-flags.ts"
import { rememberPage } from "./remembered-page.ts"

/** A catalogue, and how many flags it has. */
export interface MadeCatalog {
  /** One HTML file in UTF-8. */
  readonly page: Buffer
  readonly flags: number
}

/**
 * The catalogue of a project; `undefined` where the report then has errors. It needs no snapshots, and none are made. The
 * same commit and the same request give the same bytes.
 */
export async function makeCatalog(request: CatalogRequest): Promise<MadeCatalog | undefined> {
  const { input, report, options } = request
  const { project, files } = input
  const flags = files.filter(({ source }) => !isSegmentPath(source.path)).length
  const specs = readSpecFiles(project.folder, createReport(), project.ignores) // what is wrong with one is for `test` to say
  const remembered = await rememberPage(request, specs)
  const unchanged = remembered.get(report) // of a run that reported nothing more
  if (unchanged !== undefined) return { page: unchanged, flags }

  const { known, onlooker } = createKnownFlags()
  const compiled = await compileFiles(input, report, { ...options, onlooker })
  if (compiled === undefined) return undefined
  const alike = remembered.get(report) // of a run that reported the same
  if (alike !== undefined) return { page: alike, flags }
  const { makePage } = await import("./make-page.ts") // loaded only where there is a page to make
  const page = await makePage(request, { compiled, known, specs })
  remembered.put(page, report)
  return { page, flags }
}
