import type { Page } from "../../proxy/respond.ts"
import { type BuildResult, type CompileRequest, compileOptions } from "../build-project.ts"
import { createReport } from "../diagnostics/diagnostic.ts"
import type { Host } from "../host.ts"
import { commandsPath, createNotice, pageHeaders } from "./page.ts"

type Built = Extract<BuildResult, { kind: "built" }>

/**
 * The catalogue that `dev` has at `/`, made of the flags on the disk when somebody looks, and kept until the next build.
 * While they have errors it stays what it was, and where it has never been made a notice says so.
 */
export function createCatalogPage(request: CompileRequest, host: Host): (built: Built) => Promise<Page> {
  let of: Built | undefined
  let page: Promise<Page> | undefined
  return (built) => {
    if (built === of && page !== undefined) return page
    const before = page
    of = built
    page = make(built, request, host).then(
      (made) => made ?? before ?? notice,
      (error: unknown) => {
        of = undefined // asked again next time
        if (before === undefined) throw error
        return before
      },
    )
    return page
  }
}

const notice = createNotice(
  "These flags have errors, which flagstone dev prints. Mend them and load this page again.",
)

/** `undefined` where the flags have errors: the next build prints them. */
async function make({ project }: Built, request: CompileRequest, host: Host): Promise<Page | undefined> {
  // Loaded when somebody looks: most runs are for apps alone.
  const { makeCatalog } = await import("../catalog/catalog.ts")
  const { findBaseUrl } = await import("../catalog/model/source-links.ts")
  const baseUrl = findBaseUrl(host.env, project.folder, host.git)
  baseUrl.catch(() => {}) // awaited where the files can be read
  const made = await makeCatalog({
    ...{ project, baseUrl, git: host.git, report: createReport(), authors: true },
    options: compileOptions(request, host),
    links: [{ text: "Commands and keys", href: commandsPath }],
  })
  return made && { body: made.page, headers: pageHeaders("frame-ancestors 'none'") }
}
