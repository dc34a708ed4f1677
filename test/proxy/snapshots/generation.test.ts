import { expect, test } from "vitest"
import { loadGeneration } from "../../../proxy/snapshots/generation.ts"
import { buildFiles, createMapSource, flagEntry, shop } from "../fixtures.ts"

test("single-flag answers are parts of the list's own memory", async () => {
  const generation = await loadGeneration(createMapSource(buildFiles({ production: shop })), undefined)
  const production = generation.snapshots.get("production")
  expect([...(production?.flags.keys() ?? [])]).toEqual(shop.map(({ flag }) => flag.key))
  for (const entry of shop) {
    const body = production?.flags.get(entry.flag.key)?.identity.body
    expect(body?.toString()).toBe(JSON.stringify(entry))
    expect(body?.buffer).toBe(production?.list.identity.body.buffer)
  }
})

test("what did not change is not prepared again", async () => {
  const files = buildFiles({ production: shop, staging: [] })
  const first = await loadGeneration(createMapSource(files), undefined)
  const changed = buildFiles({ production: shop, staging: [flagEntry("new")] })
  const second = await loadGeneration(createMapSource(changed), first)
  expect(second.snapshots.get("production")).toBe(first.snapshots.get("production"))
  expect(second.snapshots.get("staging")).not.toBe(first.snapshots.get("staging"))
})

test("a document that is verified and yet no snapshot is refused by name", async () => {
  const files = buildFiles({ production: [flagEntry("b"), flagEntry("a")] })
  await expect(loadGeneration(createMapSource(files), undefined)).rejects.toThrow(
    "production.json is not a snapshot: flags[1] is out of order",
  )
})
