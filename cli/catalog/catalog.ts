import { type DocumentParts, formatDocument } from "./html/document.ts"
import { type CatalogRequest, readCatalog } from "./model/read-catalog.ts"
import { pageScript } from "./page-script.ts"

/** The catalogue of a project as the text of one HTML file. The same commit and the same request give the same bytes. */
export async function makeCatalog(
  request: CatalogRequest,
  links: NonNullable<DocumentParts["links"]> = [],
): Promise<string> {
  const catalog = await readCatalog(request)
  return formatDocument(catalog, { script: await pageScript(catalog), links })
}
