import type { Json, Rule } from "../../../proxy/contract/snapshot.ts"
import { canonicalJson } from "../../compile/meaning/canonical-json.ts"
import type { Catalog, CatalogCell, CatalogFlag, Reached } from "../model/catalog.ts"
import type {
  PageCell,
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
  const times = createInterned<number>()
  const values = createInterned<Json>()
  const rules = createInterned<Rule>()
  const settings = createInterned<PageSetting>()
  const constants = createInterned<string>()
  const timeOf = (text: string) => times.of(Date.parse(text))
  const reachedOf = ({ isReached, hits, witness }: Reached) =>
    [isReached ? 1 : 0, hits, values.of(witness)] as const

  function settingOf(cell: CatalogCell, usualId: string): PageSetting {
    const { state, constant, configuration, otherwise } = cell
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

  function cellData(cell: CatalogCell, key: string): PageCell {
    const { environment, configuration, removedAt } = cell
    const position = settings.of(settingOf(cell, `${project}/${key}@${environment}`))
    const changedAt = configuration?.updatedAt ?? removedAt
    return changedAt === undefined ? [position] : [position, timeOf(changedAt)]
  }

  const history = historyData(
    catalog.history,
    environments.map(({ name }) => name),
  )
  const flagData = (one: CatalogFlag): PageFlag => {
    const { key, type, defaultValue, createdAt, updatedAt } = one.flag
    const written = writtenTexts(one, project)
    const facts = [
      timeOf(createdAt),
      timeOf(updatedAt),
      values.of(type),
      values.of(defaultValue),
      values.of(one.owner),
      values.of(one.tags),
      values.of(one.expires),
      one.isTested ? 1 : 0,
      one.cells.map((cell) => cellData(cell, key)),
      history.byFlag.get(key) ?? [],
      constants.of(canonicalJson(defaultValue)),
      one.staleAfter === Number.POSITIVE_INFINITY ? null : one.staleAfter,
    ] as const
    return Object.keys(written).length === 0 ? facts : [...facts, written]
  }

  const flags = catalog.flags.map(flagData)
  const log = catalog.history.map(({ id, at, author, subject }): PageCommit => {
    const commit = [id, times.of(at), values.of(author), subject] as const
    const request = links.requestIn(subject)
    return request === undefined ? commit : [...commit, request]
  })
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
    times: times.all,
    values: values.all,
    rules: rules.all,
    settings: settings.all,
    sentences: history.sentences,
    changes: history.changes,
    log,
    flags,
  }
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
