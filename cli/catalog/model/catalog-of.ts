import type { CatalogRequest } from "../catalog-request.ts"
import type { FlagPart } from "../flags/flag-part.ts"
import type { ListedFlag } from "../flags/list-flags.ts"
import type { CatalogHistory, CountedCommit } from "../history/catalog-history.ts"
import type { Catalog } from "./catalog.ts"
import { sourceLinks } from "./source-links.ts"

/** Puts together all that the page shows. */
export function catalogOf(
  { project, build, baseUrl, authors }: CatalogRequest,
  listed: readonly ListedFlag[],
  flags: readonly FlagPart[],
  history: CatalogHistory,
): Catalog {
  const { environments, attributes } = project
  const { revision, committedAt } = build.manifest
  const live = environments.findLastIndex(({ name }) => project.protected.includes(name))
  return {
    project: project.name,
    projectId: project.id,
    environments,
    live: live === -1 ? environments.length - 1 : live,
    revision,
    asOf: committedAt ?? newestOf(listed),
    flags,
    attributes: attributes && [...attributes.values()],
    history: authors ? history : { ...history, commits: history.commits.map(withoutAuthor) },
    links: sourceLinks(baseUrl, revision),
  }
}

/** The date of the newest change, where no commit has one. */
function newestOf(listed: readonly ListedFlag[]): string {
  const times = listed.flatMap(({ times }) => [times.updatedAt, ...times.configurations.values()])
  return new Date(times.reduce((newest, time) => Math.max(newest, time), 0)).toISOString()
}

function withoutAuthor([id, at, , ...counts]: CountedCommit): CountedCommit {
  return [id, at, "", ...counts]
}
