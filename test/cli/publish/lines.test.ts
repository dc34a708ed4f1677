import { expect, test } from "vitest"
import { timesLine } from "../../../cli/publish/lines.ts"
import { testNow } from "../../test-host.ts"
import { folderPublisher } from "./folder-publisher.ts"

const { build, publish, read } = folderPublisher()

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

test.each([
  [60_000, ""],
  [
    7_200_000,
    "site was last published at 2026-11-21T12:00:00.000Z, 2 h 0 min in the future: that publisher's clock is ahead, or this one's is behind; until then, `flagstone evaluate --published` does not know what readers had when\n",
  ],
])("says that the previous publication is %d ms in the future", async (milliseconds, line) => {
  build({ staging: { a: "1" } })
  await publish("", { now: () => testNow + milliseconds })
  build({ staging: { a: "2" } })
  const { status, err } = await publish("--allow-older")
  expect(status).toBe(0)
  expect(err.slice(0, err.indexOf("site now has"))).toBe(line)
  expect(read("site/manifest.json")).toContain(new Date(testNow + milliseconds + 1).toISOString())
})
