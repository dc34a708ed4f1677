import { hash } from "node:crypto"
import { openCacheFolder } from "../compile/cache/cache-folder.ts"
import type { Repository } from "../compile/history/repository.ts"
import type { CatalogRequest } from "./catalog-request.ts"
import type { CatalogSources } from "./catalog-sources.ts"
import { digestOfCode } from "./code-digest.ts"

/** The page that an earlier run has made of exactly the same, in git's own folder, as builds leave their cache there. */
export interface RememberedPage {
  readonly get: () => string | undefined
  readonly put: (page: string) => void
}

/** Nothing is remembered outside git, nor of a shallow clone, whose history begins at an arbitrary commit. */
export function rememberPage(
  request: CatalogRequest,
  sources: CatalogSources,
  repository: Repository,
): RememberedPage {
  if (repository.kind === "outside" || repository.shallow || !request.cache)
    return { get: () => undefined, put: () => {} }
  const { project, build, baseUrl, authors, links } = request
  const folder = openCacheFolder(repository.cacheFolder, project) // keyed by the project file and the compiler
  const texts = ({ path, text }: { path: string; text: string }) => [path, text]
  // The manifest has the documents' digests.
  const key = digestOfCode(
    hash(
      "sha256",
      JSON.stringify([
        [repository.revision, repository.prefix, baseUrl, authors, links, build.manifest],
        sources.flags.map(texts),
        sources.specs.map(texts),
      ]),
    ),
  )
  return {
    get: () => folder.get("page", key)?.toString("utf8"),
    put: (page) => folder.put("page", () => [Buffer.from(page)], key),
  }
}
