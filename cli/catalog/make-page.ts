import type { Repository } from "../compile/history/repository.ts"
import type { CatalogRequest } from "./catalog-request.ts"
import type { CatalogSources } from "./catalog-sources.ts"
import { formatDocument } from "./html/document.ts"
import { readCatalog } from "./model/read-catalog.ts"
import { pageScript } from "./page-script.ts"

/** The text of the page, made anew. */
export async function makePage(
  request: CatalogRequest,
  sources: CatalogSources,
  repository: Repository,
): Promise<string> {
  const catalog = await readCatalog(request, sources, repository)
  return formatDocument(catalog, { script: await pageScript(catalog), links: request.links ?? [] })
}
