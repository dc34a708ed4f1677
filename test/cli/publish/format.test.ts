import { expect, test } from "vitest"
import { formatTimes } from "../../../cli/publish/format.ts"

test.each([
  [-5, "0 s"],
  [59_400, "59 s"],
  [60_000, "1 min 0 s"],
  [3_599_000, "59 min 59 s"],
  [3_600_000, "1 h 0 min"],
  [172_800_000, "2 days"],
])("a commit of %d ms ago was %s ago", (milliseconds, text) => {
  const committedAt = "2026-11-21T10:00:00.000Z"
  const manifest = {
    formatVersion: 1,
    project: "shop",
    revision: "r1",
    committedAt,
    environments: {},
  } as const
  const times = formatTimes(manifest, Date.parse(committedAt) + milliseconds)
  expect(times.split(";")[0]).toBe(`committed ${text} ago`)
})
