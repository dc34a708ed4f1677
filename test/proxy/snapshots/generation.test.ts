import { expect, test } from "vitest"
import { createGeneration } from "../../../proxy/snapshots/generation.ts"
import { buildFiles, loadFiles, named, shop } from "../fixtures.ts"

test("with one source a key needs no project; with several it does, however few have loaded", async () => {
  const served = await loadFiles(buildFiles({ production: shop }))
  const toys = await loadFiles(named("toys", buildFiles({ production: [] })))
  const ref = (project: string | undefined) => ({ project, environment: "production" })
  expect(createGeneration([served], false).find(ref(undefined))?.size).toBe(4)
  expect(createGeneration([served], false).find(ref("toys"))).toBe(undefined)
  expect(createGeneration([served], true).find(ref(undefined))).toBe(undefined)
  expect(createGeneration([served, toys], true).find(ref("toys"))?.size).toBe(0)
  expect(createGeneration([served, toys], true).find(ref("shop"))?.size).toBe(4)
})
