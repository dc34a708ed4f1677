import { toFlagFiles } from "../compile/definition/flag-file.ts"
import { readSources } from "../compile/definition/read.ts"
import { findRepository } from "../compile/history/repository.ts"
import { createReport } from "../diagnostics/diagnostic.ts"
import { readSpecFiles } from "../specs/spec-files.ts"
import { type BuildParts, createParts } from "./build-parts.ts"
import type { CatalogRequest } from "./catalog-request.ts"
import { rememberPage } from "./remembered-page.ts"

/** The catalogue of a project: one HTML file in UTF-8. The same commit and the same request give the same bytes. */
export async function makeCatalog(request: CatalogRequest): Promise<Buffer> {
  const { project } = request
  const parts = request.parts ?? (await readParts(request))
  const specs = readSpecFiles(project.folder, createReport(), project.ignores) // what is wrong with one is for `test` to say
  const remembered = rememberPage(request, parts, specs)
  const known = remembered.get()
  if (known !== undefined) return known
  const { makePage } = await import("./make-page.ts") // loaded only where there is a page to make
  const page = await makePage(request, parts, specs)
  remembered.put(page)
  return page
}

/** The same files are read once, so that all parts of the catalogue are of one moment. */
async function readParts({ project, git }: CatalogRequest): Promise<BuildParts> {
  const finding = findRepository(project.folder, git) // git answers while the files are read
  const sources = readSources(project.folder, createReport(), project.ignores)
  const repository = await finding
  return createParts(project, repository, toFlagFiles(sources, repository.hash))
}
