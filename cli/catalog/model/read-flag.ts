import type { Flag } from "../../../proxy/contract/snapshot.ts"
import type { FlagTimes } from "../../compile/history/timeline.ts"
import type { TimeText } from "../../compile/meaning/time-text.ts"
import { contentText, idOf, valueText } from "../versions/content.ts"
import type { FlagSource } from "../versions/flag-source.ts"
import type { CatalogCell, CatalogFlag } from "./catalog-flag.ts"
import { doTheSame } from "./cell.ts"
import type { Outcomes } from "./outcomes.ts"
import { createCellReader } from "./read-cell.ts"

/** What a flag of the catalogue is read from. */
export interface FlagToRead {
  readonly source: FlagSource
  readonly times: FlagTimes
  /** The file's path from the top of the repository. */
  readonly path: string
}

/** Makes the function that reads flags: what each is in these environments, what only people read, and what is reached. */
export function createCatalogFlags(
  environments: readonly string[],
  outcomes: Outcomes,
  timeText: TimeText,
): (flag: FlagToRead) => CatalogFlag {
  const readCell = createCellReader(outcomes)
  return ({ source: { version, owner, tags, expires, lines }, times, path }) => {
    const written: Omit<Flag, "createdAt" | "updatedAt"> = JSON.parse(version.flag)
    const [createdAt, updatedAt] = [timeText(times.createdAt), timeText(times.updatedAt)]
    const flag: Flag = { ...written, createdAt, updatedAt }
    const value = valueText(version.flag)
    const cells: CatalogCell[] = []
    for (const environment of environments) {
      const text = version.configurations.get(environment)
      const content = text === undefined ? undefined : contentText(text)
      const meaning = readCell({ flag, value, environment, content, lines: lines.get(environment) ?? [] })
      const before = cells.at(-1)?.meaning
      const at = times.configurations.get(environment) ?? times.updatedAt
      cells.push({
        meaning,
        differs: before !== undefined && !doTheSame(before, meaning),
        configured: text === undefined ? undefined : { id: idOf(text), updatedAt: timeText(at) },
      })
    }
    return { flag, owner, tags, expires, path, isTested: outcomes.tested.has(flag.key), cells }
  }
}
