import { hash } from "node:crypto"
import { openCacheFolder } from "../compile/cache/cache-folder.ts"
import type { Report, SourceFile } from "../diagnostics/diagnostic.ts"
import type { CatalogRequest } from "./catalog-request.ts"

/**
 * The page that an earlier run has made of exactly the same, in git's own folder, as builds leave their cache there. It is
 * found where the report is as it was then: before the files are compiled, only where compiling them reports nothing.
 */
export interface RememberedPage {
  readonly get: (report: Report) => Buffer | undefined
  readonly put: (page: Buffer, report: Report) => void
}

/** Nothing is remembered outside git, nor of a shallow clone, whose history begins at an arbitrary commit. */
export async function rememberPage(
  { input: { project, repository, files }, baseUrl, authors, links, options }: CatalogRequest,
  specs: readonly SourceFile[],
): Promise<RememberedPage> {
  if (repository.kind === "outside" || repository.shallow || !options.cache)
    return { get: () => undefined, put: () => {} }
  const folder = openCacheFolder(repository.cacheFolder, project) // keyed by the project file and the code
  const inputs = [
    [repository.revision, repository.prefix, await baseUrl, authors, links],
    files.map(({ source, blob }) => [source.path, blob]),
    specs.map(({ path, text }) => [path, text]),
  ]
  const digest = hash("sha256", JSON.stringify(inputs))
  const keyFor = ({ diagnostics }: Report) => {
    const reported = diagnostics.map(({ code, message, location }) => [code, message, location.source.path])
    return hash("sha256", JSON.stringify([digest, reported]))
  }
  return {
    get: (report) => folder.get("page", keyFor(report)),
    put: (page, report) => folder.put("page", () => [page], keyFor(report)),
  }
}
