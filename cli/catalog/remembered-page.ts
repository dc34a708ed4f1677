import { hash } from "node:crypto"
import { openCacheFolder } from "../compile/cache/cache-folder.ts"
import type { SourceFile } from "../diagnostics/diagnostic.ts"
import type { BuildParts } from "./build-parts.ts"
import type { CatalogRequest } from "./catalog-request.ts"

/** The page that an earlier run has made of exactly the same, in git's own folder, as builds leave their cache there. */
export interface RememberedPage {
  readonly get: () => Buffer | undefined
  readonly put: (page: Buffer) => void
}

/** Nothing is remembered outside git, nor of a shallow clone, whose history begins at an arbitrary commit. */
export function rememberPage(
  { project, build, baseUrl, authors, links, cache }: CatalogRequest,
  { repository, files }: BuildParts,
  specs: readonly SourceFile[],
): RememberedPage {
  if (repository.kind === "outside" || repository.shallow || !cache)
    return { get: () => undefined, put: () => {} }
  const folder = openCacheFolder(repository.cacheFolder, project) // keyed by the project file and the code
  // The manifest has the documents' digests.
  const key = hash(
    "sha256",
    JSON.stringify([
      [repository.revision, repository.prefix, baseUrl, authors, links, build.manifest],
      files.map(({ source, blob }) => [source.path, blob]),
      specs.map(({ path, text }) => [path, text]),
    ]),
  )
  return {
    get: () => folder.get("page", key),
    put: (page) => folder.put("page", () => [page], key),
  }
}
