import type { Flag, FlagEntry } from "../../../sdk/contract/snapshot.ts"
import type { FlagChange } from "./history.ts"
import type { PageCell, PageFlag } from "./page-data.ts"

/** A flag's place in the page. */
export interface FlagPlace {
  readonly row: HTMLTableRowElement
  readonly article: HTMLElement
  /** Whether a branch changes it. */
  readonly isChanged: boolean
  /** Its changes, oldest first. */
  readonly history: readonly FlagChange[]
}

/** A flag from the page's data, with its row and its details. */
export interface FlagView
  extends FlagPlace,
    Pick<Flag, "key" | "name" | "type">,
    Pick<PageFlag, "owner" | "tags" | "expires" | "defaultConstant" | "path" | "isTested"> {
  /** The key, name, description, owner and tags in lower case. */
  readonly text: string
  /** Milliseconds since 1970, for the flag's own members. */
  readonly createdAt: number
  readonly updatedAt: number
  /** How long it must be unchanged to be stale, in milliseconds. */
  readonly staleAfter: number
  /** One for each environment. */
  readonly cells: readonly CellView[]
  /** The entry of an environment, as SDKs get it. */
  readonly entry: (environment: number) => FlagEntry
}

/** What a flag does in one environment. */
export interface CellView extends PageCell {
  readonly isEnabled: boolean
  /** When its configuration last changed or was removed, in milliseconds since 1970; `undefined`: there never was one. */
  readonly changedAt: number | undefined
}

export function flagView(inData: PageFlag, place: FlagPlace): FlagView {
  const { flag, owner, tags, expires, defaultConstant, path, isTested, staleAfter, cells } = inData
  const { key, name, description, type } = flag
  return {
    ...place,
    ...{ key, name, type, owner, tags, expires, defaultConstant, path, isTested },
    text: [key, name, description, owner, ...tags].join("\n").toLowerCase(),
    createdAt: Date.parse(flag.createdAt),
    updatedAt: Date.parse(flag.updatedAt),
    staleAfter: staleAfter ?? Number.POSITIVE_INFINITY,
    cells: cells.map((cell): CellView => {
      const changedAt = cell.configuration?.updatedAt ?? cell.removedAt
      return {
        ...cell,
        isEnabled: cell.configuration?.enabled === true,
        changedAt: changedAt === undefined ? undefined : Date.parse(changedAt),
      }
    }),
    entry: (environment) => ({ flag, environment: cells[environment]?.configuration ?? null }),
  }
}
