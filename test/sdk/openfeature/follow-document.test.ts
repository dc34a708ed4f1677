import { expect, test } from "vitest"
import { followDocument } from "../../../sdk/openfeature/follow-document.ts"
import { evaluatedFlags } from "../../proxy/ofrep/evaluated-flags.ts"
import { createTestWorld } from "./test-world.ts"

const config = {
  address: "https://flags.example/production.json",
  shown: "https://flags.example/production.json",
  headers: {},
  pollInterval: 1000,
  staleAfter: 3000,
  cacheFile: undefined,
}

/** A follower of a server that answers with these flags, and with these headers each time anew. */
async function follow(headers: () => Record<string, string>) {
  const changed: (readonly string[])[] = []
  const served = { flags: [...evaluatedFlags] }
  const world = createTestWorld(async () => new Response(JSON.stringify(served), { headers: headers() }))
  const follower = followDocument(config, world, {
    onReady: () => undefined,
    onChanged: (keys) => changed.push(keys),
    onStale: () => undefined,
    onWarning: () => undefined,
  })
  expect(await follower.start()).toBeUndefined()
  return { changed, served, world, follower }
}

let asked = 0
test.each<[string, () => Record<string, string>]>([
  ["gives no tag", () => ({})],
  ["gives another tag each time", () => ({ etag: `"${asked++}"` })],
])("the same document of a server that %s is not compiled again", async (_, headers) => {
  const { changed, served, world, follower } = await follow(headers)
  const { flags } = follower
  await world.pass(2500)
  expect(world.sent.length).toBe(3)
  expect(follower.flags).toBe(flags)
  served.flags.pop()
  await world.pass(1000)
  expect(follower.flags).not.toBe(flags)
  expect(changed).toEqual([[evaluatedFlags.at(-1)?.flag.key]])
  await follower.stop()
})
