import type { CatalogCell, CatalogFlag, CellMeaning, Reached } from "../model/catalog-flag.ts"
import type { PageCell, PageReached, PageSetting, WrittenTexts } from "../page-data.ts"
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

/** Makes the function that says what the page's script knows of a flag. */
export function createFlagData(
  { project, environments }: FlagPlace,
  lists: PageLists,
): (flag: CatalogFlag) => FlagData {
  const { values } = lists
  const timeOf = createTimeOf(lists)
  const cellData = createCellData(lists, timeOf)
  return ({ flag, owner, tags, expires, path, isTested, cells }) => {
    const { key, id, name, description, type, defaultValue, createdAt, updatedAt } = flag
    const written: WrittenTexts = {
      ...(id === `${project}/${key}` ? {} : { id }),
      ...(isShownAs(name) ? {} : { name }),
      ...(isShownAs(description) ? {} : { description }),
      ...(isShownAs(path) ? {} : { path }),
    }
    const facts = [
      timeOf(createdAt),
      timeOf(updatedAt),
      values.of(type),
      values.of(defaultValue),
      values.of(owner),
      values.of(tags),
      values.of(expires),
      isTested ? 1 : 0,
      cells.map((cell, at) => cellData(cell, `${project}/${key}@${environments[at]}`)),
    ] as const
    return Object.keys(written).length === 0 ? [facts] : [facts, written]
  }
}

/** Whether the page has a text as it is written. */
function isShownAs(text: string): boolean {
  return text.isWellFormed() && shown(text) === text
}

/** Many flags have the same times. */
function createTimeOf({ times }: PageLists): (text: string) => number {
  const known = new Map<string, number>()
  return (text) => {
    const position = known.get(text) ?? times.of(Date.parse(text))
    known.set(text, position)
    return position
  }
}

function createCellData(
  lists: PageLists,
  timeOf: (text: string) => number,
): (cell: CatalogCell, usualId: string) => PageCell {
  /** Where the id is the usual one. */
  const known = new Map<CellMeaning, number>()
  return ({ meaning, configured }, usualId) => {
    const isUsual = configured === undefined || configured.id === usualId
    const position =
      (isUsual ? known.get(meaning) : undefined) ??
      lists.settings.of(settingOf(meaning, isUsual ? "" : configured.id, lists))
    if (isUsual && meaning.isShared) known.set(meaning, position)
    return configured === undefined ? [position] : [position, timeOf(configured.updatedAt)]
  }
}

function settingOf(
  { state, constant, content, rules, otherwise }: CellMeaning,
  id: string,
  { values, rules: allRules, constants }: PageLists,
): PageSetting {
  const reached = ({ isReached, hits, witness }: Reached) =>
    [isReached ? 1 : 0, hits, values.of(witness)] as const
  const known = [...rules.map((rule): PageReached => [...reached(rule), rule.line]), reached(otherwise)]
  const outline = [state, constant === undefined ? -1 : constants.of(constant), known] as const
  if (content === undefined) return outline
  return [...outline, [id, content.enabled ? 1 : 0, content.rules.map(allRules.of)]]
}
