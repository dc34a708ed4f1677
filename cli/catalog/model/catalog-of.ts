import type { History } from "../../compile/history/history.ts"
import type { FlagTimes } from "../../compile/history/timeline.ts"
import { timeText } from "../../compile/meaning/time-text.ts"
import type { CatalogRequest } from "../catalog-request.ts"
import type { FlagPart } from "../flags/flag-part.ts"
import type { CatalogHistory, CountedCommit } from "../history/catalog-history.ts"
import type { Catalog } from "./catalog.ts"
import { sourceLinks } from "./source-links.ts"

/** Puts together all that the page shows. */
export function catalogOf(
  { input: { project }, authors }: CatalogRequest,
  { revision, committedAt, times }: History,
  baseUrl: string | undefined,
  flags: readonly FlagPart[],
  history: CatalogHistory,
): Catalog {
  const { environments, attributes } = project
  const live = environments.findLastIndex(({ name }) => project.protected.includes(name))
  return {
    project: project.name,
    projectId: project.id,
    environments,
    live: live === -1 ? environments.length - 1 : live,
    revision,
    asOf: timeText(committedAt ?? newestOf(times.values())),
    flags,
    attributes: attributes && [...attributes.values()],
    history: authors ? history : { ...history, commits: history.commits.map(withoutAuthor) },
    links: sourceLinks(baseUrl, revision),
  }
}

/** The newest change, in milliseconds since 1970, where no commit has a date. */
function newestOf(all: Iterable<FlagTimes>): number {
  const times = [...all].flatMap(({ updatedAt, configurations }) => [updatedAt, ...configurations.values()])
  return times.reduce((newest, time) => Math.max(newest, time), 0)
}

function withoutAuthor([id, at, , ...counts]: CountedCommit): CountedCommit {
  return [id, at, "", ...counts]
}
