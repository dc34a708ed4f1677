import { expect, test } from "vitest"
import { historyByFlag } from "../../../../cli/catalog/page/history.ts"
import type { PageChange } from "../../../../cli/catalog/page/page-data.ts"

test("a renamed flag has its own history, and that of a flag that had the key before", () => {
  const change = (what: string, flag: string, from?: string): PageChange => {
    return { flag, from, what: [`${what}: `, from ?? flag], who: [] }
  }
  const byFlag = historyByFlag([
    { changes: [change("added", "a")] },
    { changes: [change("added", "b"), change("added", "c")] },
    { changes: [change("removed", "a")] },
    { changes: [change("renamed", "a", "b")] },
  ])
  const words = [...byFlag].map(([key, all]) => [
    key,
    ...all.map(({ commitAt, change: { what } }) => `${commitAt} ${what.join("")}`),
  ])
  expect(words).toEqual([
    ["a", "0 added: a", "1 added: b", "2 removed: a", "3 renamed: b"],
    ["c", "1 added: c"],
  ])
})
