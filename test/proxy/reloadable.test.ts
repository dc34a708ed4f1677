import { expect, test } from "vitest"
import { createReloadable } from "../../proxy/reloadable.ts"

function createCounter() {
  const state = { version: "1", fails: false, loads: 0 }
  const load = async (previous: number | undefined): Promise<number> => {
    state.loads++
    if (state.fails) throw new Error("broken")
    return (previous ?? 0) + 1
  }
  return { state, load, source: { version: async () => state.version } }
}

test("loads again only when the version is another one, or it must", async () => {
  const { state, load, source } = createCounter()
  const reloadable = await createReloadable(source, load)
  expect(await reloadable.reload(false)).toEqual({ kind: "unchanged" })
  state.version = "2"
  expect(await reloadable.reload(false)).toEqual({ kind: "replaced" })
  expect(await reloadable.reload(true)).toEqual({ kind: "replaced" })
  expect(reloadable.current).toBe(3)
})

test("what is broken is tried once for each version, and the last good one stays", async () => {
  const { state, load, source } = createCounter()
  const reloadable = await createReloadable(source, load)
  state.version = "2"
  state.fails = true
  expect(await reloadable.reload(false)).toEqual({ kind: "refused", error: new Error("broken") })
  expect(await reloadable.reload(false)).toEqual({ kind: "unchanged" })
  expect(state.loads).toBe(2)
  expect(reloadable.current).toBe(1)
  state.version = "3"
  state.fails = false
  expect(await reloadable.reload(false)).toEqual({ kind: "replaced" })
})

test("reloads take turns", async () => {
  const { state, load, source } = createCounter()
  const reloadable = await createReloadable(source, load)
  state.version = "2"
  const outcomes = await Promise.all([
    reloadable.reload(false),
    reloadable.reload(false),
    reloadable.reload(true),
  ])
  expect(outcomes.map(({ kind }) => kind)).toEqual(["replaced", "unchanged", "replaced"])
  expect(reloadable.current).toBe(3)
})

test("broken from the start is thrown", async () => {
  const { state, load, source } = createCounter()
  state.fails = true
  await expect(createReloadable(source, load)).rejects.toThrow("broken")
})
