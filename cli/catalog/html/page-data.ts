import type { Json } from "../../../proxy/contract/snapshot.ts"
import { type Phrase, visible } from "../../phrases/phrase.ts"
import type { CatalogHistory } from "../history/catalog-history.ts"
import type { Catalog, CatalogCell, CatalogFlag, Reached } from "../model/catalog.ts"
import type {
  PageCell,
  PageChange,
  PageCommit,
  PageData,
  PageFlag,
  PageReached,
  PageSentence,
  PageSetting,
  WrittenTexts,
} from "../page-data.ts"
import { shown } from "../shown.ts"

/** The catalogue for the page's script. */
export function pageData(catalog: Catalog): PageData {
  const { environments, live, links, history } = catalog
  const lists = createLists()
  const names = environments.map(({ name }) => name)
  const { log, byFlag } = pageHistory(history, names, lists)
  const flags = catalog.flags.map((flag) => pageFlag(flag, catalog, lists, byFlag.get(flag.flag.key) ?? []))
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
    sentences: lists.sentences.all,
    changes: lists.changes.all,
    log,
    flags,
  }
}

/** A list in which equal values stand once. */
interface List<T> {
  readonly all: readonly T[]
  /** The value's position. */
  readonly of: (value: T) => number
}

function createList<T>(): List<T> {
  const all: T[] = []
  const positions = new Map<string, number>()
  return {
    all,
    of(value) {
      const name = JSON.stringify(value)
      const known = positions.get(name)
      if (known !== undefined) return known
      positions.set(name, all.length)
      return all.push(value) - 1
    },
  }
}

function createLists() {
  return {
    times: createList<number>(),
    values: createList<Json>(),
    rules: createList<PageData["rules"][number]>(),
    settings: createList<PageSetting>(),
    constants: createList<string>(),
    sentences: createList<PageSentence>(),
    changes: createList<PageChange>(),
  }
}

type Lists = ReturnType<typeof createLists>

function pageFlag(
  { flag, owner, tags, expires, path, isTested, cells }: CatalogFlag,
  { project, environments }: Catalog,
  { times, values, ...lists }: Lists,
  history: PageFlag[9],
): PageFlag {
  const { key, id, name, description, type, defaultValue, createdAt, updatedAt } = flag
  const written: WrittenTexts = {
    ...(id === `${project}/${key}` ? {} : { id }),
    ...(isShownAs(name) ? {} : { name }),
    ...(isShownAs(description) ? {} : { description }),
    ...(isShownAs(path) ? {} : { path }),
  }
  const known = [
    times.of(Date.parse(createdAt)),
    times.of(Date.parse(updatedAt)),
    values.of(type),
    values.of(defaultValue),
    values.of(owner),
    values.of(tags),
    values.of(expires),
    isTested ? 1 : 0,
    cells.map((cell, at) =>
      pageCell(cell, `${project}/${key}@${environments[at]?.name}`, { times, values, ...lists }),
    ),
    history,
  ] as const
  return Object.keys(written).length === 0 ? known : [...known, written]
}

/** Whether the page has a text as it is written. */
function isShownAs(text: string): boolean {
  return text.isWellFormed() && shown(text) === text
}

function pageCell(
  { state, constant, rules, otherwise, configuration }: CatalogCell,
  usualId: string,
  { times, values, rules: allRules, settings, constants }: Lists,
): PageCell {
  const reached = ({ isReached, hits, witness }: Reached) =>
    [isReached ? 1 : 0, hits, values.of(witness)] as const
  const known = [...rules.map((rule): PageReached => [...reached(rule), rule.line]), reached(otherwise)]
  const outline = [state, constant === undefined ? -1 : constants.of(constant), known] as const
  if (configuration === null) return [settings.of(outline)]
  const { id, enabled, updatedAt } = configuration
  const own = [id === usualId ? "" : id, enabled ? 1 : 0, configuration.rules.map(allRules.of)] as const
  return [settings.of([...outline, own]), times.of(Date.parse(updatedAt))]
}

function pageHistory(
  { commits }: CatalogHistory,
  environments: readonly string[],
  { times, values, sentences, changes: all }: Lists,
): { readonly log: readonly PageCommit[]; readonly byFlag: ReadonlyMap<string, PageFlag[9]> } {
  const byFlag = new Map<string, [commitOf: number, changeOf: number][]>()
  const log: PageCommit[] = []
  const said = (phrase: Phrase) => sentences.of(pageSentence(phrase))
  const place = (environment: string | undefined) =>
    environment === undefined ? -1 : environments.indexOf(environment)
  for (const { id, at, author, changes } of commits) {
    const commitOf = log.push([id, times.of(Date.parse(at)), values.of(author)]) - 1
    for (const { flag, from, kind, environment, what, who } of changes) {
      const own =
        kind === "renamed" && from !== undefined ? (byFlag.get(from) ?? []) : (byFlag.get(flag) ?? [])
      if (from !== undefined) byFlag.delete(from)
      const affected = who.map((one) => [place(one.environment), said(one.sentence)] as const)
      byFlag.set(flag, own)
      own.push([commitOf, all.of([said(what), place(environment), affected])])
    }
  }
  return { log, byFlag }
}

/** Our words and foreign texts in turn. */
function pageSentence(phrase: Phrase): PageSentence {
  const parts: string[] = [""]
  for (const part of phrase) {
    const endsWithOurs = parts.length % 2 === 1
    if (typeof part !== "string") parts.push(...(endsWithOurs ? [] : [""]), visible(part.foreign))
    else if (endsWithOurs) parts[parts.length - 1] += part
    else parts.push(part)
  }
  return parts
}
