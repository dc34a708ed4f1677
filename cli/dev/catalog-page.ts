import type { Page } from "../../proxy/respond.ts"
import type { BuildResult } from "../build-project.ts"
import type { Host } from "../host.ts"
import { commandsPath, pageHeaders } from "./page.ts"

type Built = Extract<BuildResult, { kind: "built" }>

/**
 * The catalogue that `dev` has at `/`, made when somebody looks and kept until the next build. While the flags on the disk
 * cannot be read it stays what it was; throws where it has never been made.
 */
export function createCatalogPage(host: Host): (built: Built) => Promise<Page> {
  let of: Built | undefined
  let page: Promise<Page> | undefined
  return (built) => {
    if (built === of && page !== undefined) return page
    const before = page
    of = built
    page = make(built, host).catch((error: unknown) => {
      of = undefined // asked again next time
      if (before === undefined) throw error
      return before
    })
    return page
  }
}

async function make({ project, build }: Built, host: Host): Promise<Page> {
  // Loaded when somebody looks: most runs are for apps alone.
  const { makeCatalog } = await import("../catalog/catalog.ts")
  const { findBaseUrl } = await import("../catalog/model/source-links.ts")
  const baseUrl = await findBaseUrl(host.env, project.folder, host.git)
  const links = [{ text: "Commands and keys", href: commandsPath }]
  const body = await makeCatalog({
    project,
    build,
    git: host.git,
    baseUrl,
    authors: true,
    cache: true,
    links,
  })
  return { body, headers: pageHeaders("frame-ancestors 'none'") }
}
