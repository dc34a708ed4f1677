import { mkdirSync, mkdtempSync, readFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { expect, test, vi } from "vitest"
import { followDocument } from "../../../sdk/openfeature/follow-document.ts"
import { evaluatedFlags } from "../../proxy/ofrep/evaluated-flags.ts"
import { createTestWorld } from "./test-world.ts"

const config = {
  address: "https://flags.example/production.json",
  shown: "https://flags.example/production.json",
  headers: {},
  eventsAddress: undefined,
  pollInterval: 1000,
  staleAfter: 3000,
  documentLimit: 1_000_000,
}

/** A follower of a server that answers with these flags, and each time with these headers. */
async function follow(headers: () => Record<string, string>, cacheFile?: string) {
  const changed: (readonly string[])[] = []
  const warnings: string[] = []
  const stale: string[] = []
  const served = { flags: [...evaluatedFlags] }
  const world = createTestWorld(async () => new Response(JSON.stringify(served), { headers: headers() }))
  const follower = followDocument({ ...config, cacheFile }, world, {
    onReady: () => undefined,
    onChanged: (keys) => changed.push(keys),
    onStale: (reason) => stale.push(reason),
    onRefused: () => {},
    onWarning: (warning) => warnings.push(warning),
  })
  expect(await follower.start()).toBeUndefined()
  return { changed, warnings, stale, served, world, follower }
}

let asked = 0
test.each<[string, string | null, () => Record<string, string>]>([
  ["gives no tag", null, () => ({})],
  ["gives a different tag each time", '"1"', () => ({ etag: `"${asked++}"` })],
])("the same document of a server that %s is not compiled again", async (_, last, headers) => {
  const { changed, served, world, follower } = await follow(headers)
  const { flags } = follower
  await world.pass(2500)
  expect(world.sent.length).toBe(3)
  expect(world.sent[2]?.headers.get("if-none-match")).toBe(last)
  expect(follower.flags).toBe(flags)
  served.flags.pop()
  await world.pass(1000)
  expect(follower.flags).not.toBe(flags)
  expect(changed).toEqual([[evaluatedFlags.at(-1)?.flag.key]])
  await follower.stop()
})

test.each([200, 304])("what could not be kept is kept with a later answer, %i", async (status) => {
  const cacheFile = join(mkdtempSync(join(tmpdir(), "flagstone-follow-")), "cache", "last.json")
  const { warnings, served, world, follower } = await follow(() => ({ etag: '"1"' }), cacheFile)
  await vi.waitFor(() => expect(warnings).toEqual([expect.stringContaining("ENOENT")]))
  const text = JSON.stringify(served)
  world.respond = async () => new Response(status === 200 ? text : null, { status, headers: { etag: '"1"' } })
  await world.pass(2000)
  mkdirSync(dirname(cacheFile))
  await world.pass(1000)
  await follower.stop()
  expect(readFileSync(cacheFile, "utf8")).toBe(text)
  expect(warnings).toHaveLength(1)
})

test("a document that is too long leaves the flags, and the event says why", async () => {
  const { changed, stale, served, world, follower } = await follow(() => ({}))
  const { flags } = follower
  served.flags.length = 0
  const blanks = " ".repeat(config.documentLimit)
  world.respond = async () => new Response(JSON.stringify(served) + blanks)
  await world.pass(3000)
  expect(stale).toEqual([
    "https://flags.example/production.json returned more than 1000000 bytes: if its document is that long, set documentLimit",
  ])
  expect(follower.flags).toBe(flags)
  expect(changed).toEqual([])
  await follower.stop()
})
