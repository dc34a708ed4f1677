import { createExpressions } from "../../sdk/evaluation/expression.ts"
import { loadEngine } from "../compile/grammar/expression-engine.ts"
import type { CompiledFiles } from "../compile/history/compiled-files.ts"
import type { SourceFile } from "../diagnostics/diagnostic.ts"
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
import type { KnownFlags } from "./known-flags.ts"
import { catalogOf } from "./model/catalog-of.ts"
import { pageScript } from "./page-script.ts"

/** What the page is made of. */
export interface PageInput {
  readonly compiled: CompiledFiles
  /** What was read to compile them. */
  readonly known: KnownFlags
  readonly specs: readonly SourceFile[]
}

/** The page, in UTF-8: what is remembered of it is joined with what is new. */
export async function makePage(
  request: CatalogRequest,
  { compiled, known, specs }: PageInput,
): Promise<Buffer> {
  const { input, options, links = [] } = request
  const { project, repository } = input
  const saying = startHistory(request, known)
  const lists = createPageLists()
  const listed = listFlags(compiled)
  const memory = rememberFlags(repository, project, options.cache)
  const flags = await readFlagParts({
    project,
    prefix: repository.kind === "inside" ? repository.prefix : "",
    ...{ listed, specs, lists },
    read: createFlagReader(known, compiled.segments, project),
    remembered: memory.get(lists),
    compileExpression: createExpressions(loadEngine),
  })
  const history = await (await saying)()
  const catalog = catalogOf(request, compiled.history, await request.baseUrl, flags.flags, history)
  const data = pageData(catalog, lists)
  memory.put(flags, lists)
  return formatDocument(catalog, data, { script: await pageScript(data.rules), links })
}

/** Asks git for the history. What it gives describes it, best after all that needs no git: git answers in the meantime. */
async function startHistory(
  { input: { project, repository, files }, options }: CatalogRequest,
  { versions, replayed }: KnownFlags,
): Promise<() => Promise<CatalogHistory>> {
  if (repository.kind === "outside") return async () => noHistory
  const remembered = rememberHistory(repository, project, options.cache)
  const walked = await walkHistory(repository, remembered.get(), replayed)
  return async () =>
    readHistory({
      ...{ repository, walked, project, files, versions, remembered },
      compileExpression: createExpressions(loadEngine),
    })
}
