import type { FlagView } from "./flag-view.ts"
import { fillDetails } from "./opened.ts"
import type { PageData } from "./page-data.ts"

/** On paper, the details of all flags in the table are there, and unfolded. */
export function showAllInPrint(flags: readonly FlagView[], data: PageData, now: number): void {
  const unfolded: HTMLDetailsElement[] = []
  addEventListener("beforeprint", () => {
    for (const flag of flags) {
      flag.article.hidden = flag.row.hidden
      if (flag.row.hidden) continue
      const folded = fillDetails(flag, data, now).querySelectorAll<HTMLDetailsElement>("details:not([open])")
      for (const details of folded) details.open = true
      unfolded.push(...folded)
    }
  })
  addEventListener("afterprint", () => {
    for (const { article } of flags) article.hidden = false
    for (const details of unfolded.splice(0)) details.open = false
  })
}
