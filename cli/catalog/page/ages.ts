import { ageWords, expiryWords } from "./days.ts"
import { element } from "./element.ts"
import type { FlagView } from "./flag-view.ts"

/** Adds the flag's age and the time to its expiry to a row. The file itself does not know today's date. */
export function paintAges({ row, createdAt, expires }: FlagView, now: number): void {
  const since = row.cells[row.cells.length - 1]
  since?.append(element("small", {}, ageWords(createdAt, now)))
  if (expires === "") return
  const words = expiryWords(expires, now)
  const isLate = /^(expired|today)/.test(words)
  row.cells[row.cells.length - 5]?.append(element("small", { className: isLate ? "late" : "" }, words))
}
