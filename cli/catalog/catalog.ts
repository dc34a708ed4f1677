import { findRepository } from "../compile/history/repository.ts"
import type { CatalogRequest } from "./catalog-request.ts"
import { readCatalogSources } from "./catalog-sources.ts"
import { rememberPage } from "./remembered-page.ts"

/** The catalogue of a project as the text of one HTML file. The same commit and the same request give the same bytes. */
export async function makeCatalog(request: CatalogRequest): Promise<string> {
  const { project, git } = request
  const finding = findRepository(project.folder, git) // git answers while the files are read
  const sources = readCatalogSources(project)
  const repository = await finding
  const remembered = rememberPage(request, sources, repository)
  const known = remembered.get()
  if (known !== undefined) return known
  const { makePage } = await import("./make-page.ts") // loaded only where there is a page to make
  const page = await makePage(request, sources, repository)
  remembered.put(page)
  return page
}
