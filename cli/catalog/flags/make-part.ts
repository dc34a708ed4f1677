import { details } from "../html/details.ts"
import { row } from "../html/row.ts"
import type { CatalogFlag } from "../model/catalog-flag.ts"
import { type FlagPlace, flagData } from "./flag-data.ts"
import type { FlagPart } from "./flag-part.ts"
import type { PageLists } from "./page-lists.ts"

/** The part of a flag. */
export function flagPart(flag: CatalogFlag, name: string, place: FlagPlace, lists: PageLists): FlagPart {
  return {
    key: flag.flag.key,
    name,
    row: row(flag),
    article: details(flag, place.environments),
    data: () => flagData(flag, place, lists),
  }
}
