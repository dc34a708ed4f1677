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
} from "../page-data.ts"

/** The catalogue for the page's script. */
export function pageData(catalog: Catalog): PageData {
  const { environments, live, links, history } = catalog
  const lists = {
    times: createList<string>((text) => text),
    rules: createList<PageData["rules"][number]>((rule) => JSON.stringify(rule)),
    witnesses: createList<string>((text) => text),
    constants: createList<string>((text) => text),
    sentences: createList<PageSentence>((parts) => JSON.stringify(parts)),
  }
  lists.witnesses.of("")
  const names = environments.map(({ name }) => name)
  const { log, byFlag } = pageHistory(history, names, lists.sentences)
  const flags = catalog.flags.map((flag) => pageFlag(flag, catalog, lists, byFlag.get(flag.flag.key) ?? []))
  return {
    project: catalog.project,
    projectId: catalog.projectId,
    environments: environments.map(({ name, id }) => ({ name, id })),
    live,
    files: links.files ?? "",
    commits: links.commits ?? "",
    times: lists.times.all,
    rules: lists.rules.all,
    witnesses: lists.witnesses.all,
    sentences: lists.sentences.all,
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

function createList<T>(nameOf: (value: T) => string): List<T> {
  const all: T[] = []
  const positions = new Map<string, number>()
  return {
    all,
    of(value) {
      const name = nameOf(value)
      const known = positions.get(name)
      if (known !== undefined) return known
      positions.set(name, all.length)
      return all.push(value) - 1
    },
  }
}

interface Lists {
  readonly times: List<string>
  readonly rules: List<PageData["rules"][number]>
  readonly witnesses: List<string>
  readonly constants: List<string>
  readonly sentences: List<PageSentence>
}

function pageFlag(
  { flag, owner, tags, expires, path, isTested, cells }: CatalogFlag,
  { project, environments }: Catalog,
  lists: Lists,
  history: readonly PageChange[],
): PageFlag {
  const { key, id, name, description, type, defaultValue, createdAt, updatedAt } = flag
  return [
    key,
    id === `${project}/${key}` ? "" : id,
    name === key ? "" : name,
    description,
    type,
    defaultValue,
    lists.times.of(createdAt),
    lists.times.of(updatedAt),
    owner,
    tags,
    expires,
    path,
    isTested ? 1 : 0,
    cells.map((cell, at) => pageCell(cell, `${project}/${key}@${environments[at]?.name}`, lists)),
    history,
  ]
}

function pageCell(
  { state, constant, rules, otherwise, configuration }: CatalogCell,
  usualId: string,
  lists: Lists,
): PageCell {
  const reached = ({ isReached, hits, witness }: Reached): PageReached => [
    isReached ? 1 : 0,
    hits,
    lists.witnesses.of(witness),
  ]
  const known = [
    ...rules.map((rule): PageReached => {
      const [isReached, hits, witnessOf] = reached(rule)
      return [isReached, hits, witnessOf, rule.line]
    }),
    reached(otherwise),
  ]
  const outline = [state, constant === undefined ? -1 : lists.constants.of(constant), known] as const
  if (configuration === null) return outline
  const { id, enabled, updatedAt } = configuration
  const rulesOf = configuration.rules.map(lists.rules.of)
  return [...outline, [id === usualId ? "" : id, enabled ? 1 : 0, rulesOf, lists.times.of(updatedAt)]]
}

function pageHistory(
  { commits }: CatalogHistory,
  environments: readonly string[],
  sentences: List<PageSentence>,
): { readonly log: readonly PageCommit[]; readonly byFlag: ReadonlyMap<string, readonly PageChange[]> } {
  const byFlag = new Map<string, PageChange[]>()
  const log: PageCommit[] = []
  const said = (phrase: Phrase) => sentences.of(pageSentence(phrase))
  const place = (environment: string | undefined) =>
    environment === undefined ? -1 : environments.indexOf(environment)
  for (const { id, at, author, changes } of commits) {
    const commitOf = log.push([id, at, author]) - 1
    for (const { flag, from, kind, environment, what, who } of changes) {
      const own =
        kind === "renamed" && from !== undefined ? (byFlag.get(from) ?? []) : (byFlag.get(flag) ?? [])
      if (from !== undefined) byFlag.delete(from)
      const affected = who.map((one) => [place(one.environment), said(one.sentence)] as const)
      byFlag.set(flag, own)
      own.push([commitOf, said(what), place(environment), affected])
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
