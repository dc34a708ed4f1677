import { createExpressions } from "../../sdk/evaluation/expression.ts"
import { loadEngine } from "../compile/definition/expression-engine.ts"
import type { SourceFile } from "../diagnostics/diagnostic.ts"
import type { BuildParts } from "./build-parts.ts"
import type { CatalogRequest } from "./catalog-request.ts"
import { createFlagReader } from "./flags/flag-reader.ts"
import { listFlags } from "./flags/list-flags.ts"
import { createPageLists } from "./flags/page-lists.ts"
import { readFlagParts } from "./flags/read-flag-parts.ts"
import { rememberFlags } from "./flags/remembered-flags.ts"
import { type CatalogHistory, noHistory } from "./history/catalog-history.ts"
import { readHistory } from "./history/read-history.ts"
import { rememberHistory } from "./history/remembered-history.ts"
import { walkHistory } from "./history/walk-history.ts"
import { formatDocument } from "./html/document.ts"
import { pageData } from "./html/page-data.ts"
import { catalogOf } from "./model/catalog-of.ts"
import { pageScript } from "./page-script.ts"

/** The page, in UTF-8: what is remembered of it is joined with what is new. */
export async function makePage(
  request: CatalogRequest,
  parts: BuildParts,
  specs: readonly SourceFile[],
): Promise<Buffer> {
  const { project, build, cache, links = [] } = request
  const saying = startHistory(request, parts)
  const lists = createPageLists()
  const read = createFlagReader(parts, project)
  const listed = listFlags(parts, build, read)
  const memory = rememberFlags(parts.repository, project, cache)
  const flags = await readFlagParts({
    project,
    prefix: parts.repository.kind === "inside" ? parts.repository.prefix : "",
    ...{ listed, specs, read, lists },
    remembered: memory.get(lists),
    compileExpression: createExpressions(loadEngine),
  })
  const history = await (await saying)()
  const catalog = catalogOf(request, listed, flags.flags, history)
  const data = pageData(catalog, lists)
  memory.put(flags, lists)
  return formatDocument(catalog, data, { script: await pageScript(data.rules), links })
}

/** Asks git for the history. What it gives describes it, best after all that needs no git: git answers in the meantime. */
async function startHistory(
  { project, cache }: CatalogRequest,
  { repository, files, versions, walked: ofBuild }: BuildParts,
): Promise<() => Promise<CatalogHistory>> {
  if (repository.kind === "outside") return async () => noHistory
  const remembered = rememberHistory(repository, project, cache)
  const walked = await walkHistory(repository, remembered.get(), ofBuild)
  return async () =>
    readHistory({
      ...{ repository, walked, project, files, versions, remembered },
      compileExpression: createExpressions(loadEngine),
    })
}
