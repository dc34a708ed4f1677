import type { CatalogCell, CatalogFlag, Reached } from "../model/catalog-flag.ts"
import type { PageCell, PageReached, WrittenTexts } from "../page-data.ts"
import { shown } from "../shown.ts"
import type { FlagData } from "./flag-part.ts"
import type { PageLists } from "./page-lists.ts"

/** Where a flag is: what its usual ids are made of. */
export interface FlagPlace {
  /** The project's name. */
  readonly project: string
  /** The environments' names. */
  readonly environments: readonly string[]
}

/** What the page's script knows of a flag. */
export function flagData(
  { flag, owner, tags, expires, path, isTested, cells }: CatalogFlag,
  { project, environments }: FlagPlace,
  lists: PageLists,
): FlagData {
  const { times, values } = lists
  const { key, id, name, description, type, defaultValue, createdAt, updatedAt } = flag
  const written: WrittenTexts = {
    ...(id === `${project}/${key}` ? {} : { id }),
    ...(isShownAs(name) ? {} : { name }),
    ...(isShownAs(description) ? {} : { description }),
    ...(isShownAs(path) ? {} : { path }),
  }
  const facts = [
    times.of(Date.parse(createdAt)),
    times.of(Date.parse(updatedAt)),
    values.of(type),
    values.of(defaultValue),
    values.of(owner),
    values.of(tags),
    values.of(expires),
    isTested ? 1 : 0,
    cells.map((cell, at) => cellData(cell, `${project}/${key}@${environments[at]}`, lists)),
  ] as const
  return Object.keys(written).length === 0 ? [facts] : [facts, written]
}

/** Whether the page has a text as it is written. */
function isShownAs(text: string): boolean {
  return text.isWellFormed() && shown(text) === text
}

function cellData(
  { state, constant, rules, otherwise, configuration }: CatalogCell,
  usualId: string,
  { times, values, rules: allRules, settings, constants }: PageLists,
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
