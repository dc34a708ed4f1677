import { expect, test } from "vitest"
import { formats } from "../../../cli/import/report.ts"

test("a report says how many shares were compared with ids, if not all", () => {
  const reported = { tool: "Flipt", results: [], remarks: [], accepted: [], written: [], isDry: false }
  const summary = (sharesCompared: number) =>
    formats.text({ ...reported, tally: { contexts: 1204, differing: 0, withShares: 120, sharesCompared } })
  expect(summary(120)).toBe("Flipt: 0 flags, 0 environments, 1,204 contexts: 0 differ except by share\n")
  expect(summary(100)).toBe(
    "Flipt: 0 flags, 0 environments, 1,204 contexts: 0 differ except by share\n  shares compared with 10,000 ids in 100 of 120 configurations that have some\n",
  )
})
