import type { Json, Rule } from "../../../proxy/contract/snapshot.ts"
import { createList, type List } from "../list.ts"
import type { PageSetting } from "../page-data.ts"

/** What many flags of a page have, each once. */
export interface PageLists {
  readonly times: List<number>
  readonly values: List<Json>
  readonly rules: List<Rule>
  readonly settings: List<PageSetting>
  /** Texts that are equal where everybody gets the same one value. The page has only their positions. */
  readonly constants: List<string>
}

/** The same as JSON. */
export type WrittenLists = { readonly [Name in keyof PageLists]: PageLists[Name]["all"] }

export function createPageLists(): PageLists {
  return {
    times: createList(),
    values: createList(),
    rules: createList(),
    settings: createList(),
    constants: createList(),
  }
}
