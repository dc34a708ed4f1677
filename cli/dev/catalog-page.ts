import type { Page } from "../../proxy/http/respond.ts"
import type { DescribedCache } from "../catalog/history/date-and-describe.ts"
import type { DescribedCommit } from "../catalog/history/described-commit.ts"
import { createReport } from "../diagnostics/diagnostic.ts"
import { createHistoryCache } from "../history/history-cache.ts"
import type { Host } from "../host.ts"
import type { CompileOptions } from "../project/compile.ts"
import type { Input } from "../project/input.ts"
import { commandsPath, pageHeaders } from "./page.ts"

/**
 * The catalogue page of `dev` for the flags that are served: built when it is first opened, and again after the flags
 * change, or if it could not be built.
 */
export function createCatalogPage(options: CompileOptions, host: Host): (served: Input) => Promise<Page> {
  const cache = createHistoryCache<readonly DescribedCommit[]>()
  let of: Input | undefined
  let page: Promise<Page> | undefined
  return (served) => {
    if (served !== of || page === undefined) {
      of = served
      page = make(served, options, cache, host)
      page.catch(() => (of = undefined))
    }
    return page
  }
}

async function make(input: Input, options: CompileOptions, cache: DescribedCache, host: Host): Promise<Page> {
  // Loaded when the page is opened: most runs only serve apps.
  const { makeCatalog } = await import("../catalog/catalog.ts")
  const { findBaseUrl, findBranch } = await import("../catalog/model/source-links.ts")
  const made = await makeCatalog({
    ...{ input, options, cache, report: createReport(), authors: true },
    baseUrl: findBaseUrl(host.env, input.project.folder, host.git),
    editBranch: findBranch(host.env, input.project.folder, host.git),
    links: [{ text: "Commands and keys", href: commandsPath }],
  })
  if (made === undefined) throw new Error("the flags were built, but their catalogue has errors")
  return { body: made.page, headers: pageHeaders("frame-ancestors 'none'") }
}
