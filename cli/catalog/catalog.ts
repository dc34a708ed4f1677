import { compileFiles } from "../compile/compile.ts"
import { partition } from "../compile/definition/flag-file.ts"
import { readInput } from "../compile/input.ts"
import { createReport } from "../diagnostics/diagnostic.ts"
import { readSpecFiles } from "../specs/spec-files.ts"
import type { CatalogRequest } from "./catalog-request.ts"
import { rememberPage } from "./remembered-page.ts"
import { createSeen } from "./seen.ts"

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
  const { project, git, report, options } = request
  const input = await readInput(project, git, report, options)
  const specs = readSpecFiles(project.folder, createReport(), project.ignores) // what is wrong with one is for `test` to say
  const [, { length: flags }] = partition(input.files)
  const remembered = await rememberPage(request, input, specs)
  const unchanged = remembered.get(report)
  if (unchanged !== undefined) return { page: unchanged, flags }

  const { seen, onlooker } = createSeen()
  const compiled = await compileFiles(input, report, { ...options, onlooker })
  if (compiled === undefined) return undefined
  const known = report.diagnostics.length > 0 ? remembered.get(report) : undefined
  if (known !== undefined) return { page: known, flags }
  const { makePage } = await import("./make-page.ts") // loaded only where there is a page to make
  const page = await makePage(request, { input, compiled, seen, specs })
  remembered.put(page, report)
  return { page, flags }
}
