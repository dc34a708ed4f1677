import { createExpressions } from "../../sdk/evaluation/expression.ts"
import { createReport, type Report } from "../diagnostics/diagnostic.ts"
import { loadEngine } from "../language/expression-engine.ts"
import type { CompileOptions } from "../project/compile.ts"
import type { Input } from "../project/input.ts"
import { readSpecFiles } from "../specs/spec-files.ts"
import { readBranchChanges } from "./history/branch-changes.ts"
import { type DescribedCache, dateAndDescribe } from "./history/date-and-describe.ts"
import { formatDocument, type PageLink } from "./html/document.ts"
import { assembleCatalog } from "./model/assemble-catalog.ts"
import { pageScript } from "./page-script.ts"

/** What a catalogue is made from. */
export interface CatalogRequest {
  readonly input: Input
  readonly report: Report
  readonly options: CompileOptions
  /** What earlier catalogues of this process have described. */
  readonly cache?: DescribedCache
  /** The repository's address; `undefined`: no links. Never rejects. */
  readonly baseUrl: Promise<string | undefined>
  /** The branch in which the forge's editor opens files; `undefined`: none. Never rejects. */
  readonly editBranch: Promise<string | undefined>
  /** The commit to compare the work tree's branch with; absent: no flag is marked. */
  readonly base?: string | undefined
  /** Whether authors are named. */
  readonly authors: boolean
  /** Links to related pages. */
  readonly links?: readonly PageLink[]
}

/** A catalogue, and its number of flags. */
export interface MadeCatalog {
  /** One HTML file in UTF-8. */
  readonly page: Buffer
  readonly flags: number
}

/**
 * The catalogue of a project: compile → history → model → HTML. `undefined` if the report then has errors. The same
 * commit and the same request give the same bytes, with a cache and without.
 */
export async function makeCatalog(request: CatalogRequest): Promise<MadeCatalog | undefined> {
  const { input, report, options, cache, authors, links = [] } = request
  const { project } = input
  const compileExpression = createExpressions(loadEngine)
  const described = await dateAndDescribe({ input, report, options, cache, compileExpression })
  if (described === undefined) return undefined

  const { dated, history } = described
  const branch = request.base === undefined ? undefined : await readBranchChanges(request.base, input)
  const specs = readSpecFiles(project.folder, createReport(), project.ignores) // `test` reports their mistakes
  const catalog = await assembleCatalog({
    ...{ input, dated, specs, branch, compileExpression },
    ...{ baseUrl: await request.baseUrl, editBranch: await request.editBranch },
    history: authors ? history : history.map((commit) => ({ ...commit, author: "" })),
  })
  const script = await pageScript(catalog.hasExpressions)
  return { page: formatDocument(catalog, { script, links }), flags: catalog.flags.length }
}
