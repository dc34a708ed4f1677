import type { PageLists } from "../flags/page-lists.ts"
import type { CatalogHistory, ChangeAt } from "../history/catalog-history.ts"
import type { Catalog } from "../model/catalog.ts"
import type { PageCommit, PageData, PageFlag } from "../page-data.ts"

/** The catalogue for the page's script. The lists are those of its flags. */
export function pageData(catalog: Catalog, lists: PageLists): PageData {
  const { environments, live, links, history } = catalog
  const log = logOf(history, lists)
  const histories = new Map<string, readonly ChangeAt[]>(history.flags)
  const flags = catalog.flags.map((flag): PageFlag => {
    const [facts, written] = flag.data
    const own = histories.get(flag.key) ?? []
    return written === undefined ? [...facts, own] : [...facts, own, written]
  })
  return {
    project: catalog.project,
    projectId: catalog.projectId,
    environments: environments.map(({ name, id }) => ({ name, id })),
    live,
    files: links.files ?? "",
    commits: links.commits ?? "",
    times: lists.times.all,
    values: lists.values.all,
    rules: lists.rules.all,
    settings: lists.settings.all,
    sentences: history.sentences,
    changes: history.changes,
    log,
    flags,
  }
}

function logOf({ commits }: CatalogHistory, { times, values }: PageLists): readonly PageCommit[] {
  return commits.map(([id, at, author]) => [id, times.of(at), values.of(author)])
}
