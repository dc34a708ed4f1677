import { expect, test } from "vitest"
import { timesLine } from "../../../cli/publish/lines.ts"

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
  const times = timesLine(manifest, "https://flags.example", Date.parse(committedAt) + milliseconds)
  expect(times.split(";")[0]).toBe(`committed ${text} ago`)
})

test("says when readers will have it, for each kind of target", () => {
  const manifest = { formatVersion: 1, project: "shop", revision: "r1", environments: {} } as const
  expect(timesLine(manifest, "https://flags.example", 0)).toBe(
    "proxies that read the URL have it within 2 s and notify listeners; a CDN in between adds up to 30 s\n",
  )
  expect(timesLine(manifest, "/srv/flags", 0)).toBe(
    "proxies that read the folder have it within 2 s and notify listeners; a web server's cache in between adds up to 30 s\n",
  )
})
