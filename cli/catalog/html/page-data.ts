import type { Json, Rule } from "../../../sdk/contract/snapshot.ts"
import { canonicalJson } from "../../language/canonical-json.ts"
import type { DescribedCommit } from "../history/described-commit.ts"
import type { Catalog, CatalogCell, CatalogFlag, Reached } from "../model/catalog.ts"
import type {
  PageCell,
  PageChangeAt,
  PageCommit,
  PageData,
  PageFlag,
  PageReached,
  PageSetting,
  WrittenTexts,
} from "../page/page-data.ts"
import { shown } from "../page/shown.ts"
import { historyData } from "./history-data.ts"
import { createInterned } from "./interned.ts"

/** The catalogue for the page's script. Values that many flags share are in lists, without duplicates. */
export function pageData(catalog: Catalog): PageData {
  const { project, environments, links, branch } = catalog
  const lists = createLists()
  const history = historyData(
    catalog.history,
    environments.map(({ name }) => name),
  )
  const flags = catalog.flags.map((flag) => {
    const { key } = flag.flag
    return flagData(flag, project, history.byFlag.get(key) ?? [], lists)
  })
  const log = catalog.history.map((commit) => commitData(commit, links, lists))
  const changed = new Set(branch?.changes.map(({ flag }) => flag))
  return {
    project,
    projectId: catalog.projectId,
    environments: environments.map(({ name, id }) => ({ name, id })),
    protected: catalog.protected,
    live: catalog.live,
    beforeLive: catalog.beforeLive,
    changed: branch === undefined ? -1 : catalog.flags.filter(({ flag }) => changed.has(flag.key)).length,
    files: links.files ?? "",
    commits: links.commits ?? "",
    edits: links.edits ?? "",
    form: links.form ?? "",
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

type Lists = ReturnType<typeof createLists>

function createLists() {
  return {
    times: createInterned<number>(),
    values: createInterned<Json>(),
    rules: createInterned<Rule>(),
    settings: createInterned<PageSetting>(),
    constants: createInterned<string>(),
  }
}

function flagData(
  catalogFlag: CatalogFlag,
  project: string,
  history: readonly PageChangeAt[],
  lists: Lists,
): PageFlag {
  const { flag, owner, tags, expires, isTested, cells, staleAfter } = catalogFlag
  const { times, values, constants } = lists
  const written = writtenTexts(catalogFlag, project)
  const facts = [
    times.of(Date.parse(flag.createdAt)),
    times.of(Date.parse(flag.updatedAt)),
    values.of(flag.type),
    values.of(flag.defaultValue),
    values.of(owner),
    values.of(tags),
    values.of(expires),
    isTested ? 1 : 0,
    cells.map((cell) => cellData(cell, `${project}/${flag.key}`, lists)),
    history,
    constants.of(canonicalJson(flag.defaultValue)),
    staleAfter === Number.POSITIVE_INFINITY ? null : staleAfter,
  ] as const
  return Object.keys(written).length === 0 ? facts : [...facts, written]
}

/** `usualId` is what the id of the cell's flag is if its author gives none. */
function cellData(cell: CatalogCell, usualId: string, lists: Lists): PageCell {
  const { environment, configuration, removedAt } = cell
  const position = lists.settings.of(settingOf(cell, `${usualId}@${environment}`, lists))
  const changedAt = configuration?.updatedAt ?? removedAt
  return changedAt === undefined ? [position] : [position, lists.times.of(Date.parse(changedAt))]
}

function settingOf(cell: CatalogCell, usualId: string, { values, rules, constants }: Lists): PageSetting {
  const { state, constant, configuration, otherwise } = cell
  const reachedOf = ({ isReached, hits, witness }: Reached) =>
    [isReached ? 1 : 0, hits, values.of(witness)] as const
  const reached = cell.rules.map((rule): PageReached => [...reachedOf(rule), rule.line])
  const outline = [
    state,
    constant === undefined ? -1 : constants.of(constant),
    [...reached, reachedOf(otherwise)],
  ] as const
  if (configuration === null) return outline
  const { id, enabled } = configuration
  return [...outline, [id === usualId ? "" : id, enabled ? 1 : 0, configuration.rules.map(rules.of)]]
}

function commitData(
  { id, at, author, subject }: DescribedCommit,
  links: Catalog["links"],
  { times, values }: Lists,
): PageCommit {
  const commit = [id, times.of(at), values.of(author), subject] as const
  const request = links.requestIn(subject)
  return request === undefined ? commit : [...commit, request]
}

/** Texts that the page shows in a different form, or not at all. */
function writtenTexts({ flag, path }: CatalogFlag, project: string): WrittenTexts {
  const { key, id, name, description } = flag
  return {
    ...(id === `${project}/${key}` ? {} : { id }),
    ...(isShownAs(name) ? {} : { name }),
    ...(isShownAs(description) ? {} : { description }),
    ...(isShownAs(path) ? {} : { path }),
  }
}

/** Whether the page shows a text exactly as it is written. */
function isShownAs(text: string): boolean {
  return text.isWellFormed() && shown(text) === text
}
