import { expect, test } from "vitest"
import { createReloadable } from "../../../proxy/reload/reloadable.ts"
import type { Sighting } from "../../../proxy/reload/source.ts"

function createCounter() {
  const state = { sighting: { kind: "found", value: "one" } as Sighting<string>, fails: false, swapped: "" }
  const source = { location: "a test", look: async () => state.sighting }
  const reloadable = createReloadable(source, {
    async load(found: string, previous: string | undefined) {
      if (state.fails) throw new Error("broken")
      return `${previous ?? ""}${found} `
    },
    async swapped(found) {
      state.swapped = found
    },
    isSame: (previous, held) => held === `${previous} `, // nothing was found
  })
  return { state, reloadable }
}

test("loads what is found, and tells when it is the current one", async () => {
  const { state, reloadable } = createCounter()
  expect(reloadable.current).toBe(undefined)
  expect(await reloadable.reload(true)).toEqual({ kind: "replaced" })
  expect(state.swapped).toBe("one")
  state.sighting = { kind: "same" }
  expect(await reloadable.reload(false)).toEqual({ kind: "unchanged" })
  state.sighting = { kind: "waiting" }
  expect(await reloadable.reload(false)).toEqual({ kind: "waiting" })
  expect(reloadable.current).toBe("one ")
})

test("what is broken is refused, and the last good one stays", async () => {
  const { state, reloadable } = createCounter()
  await reloadable.reload(true)
  state.fails = true
  state.sighting = { kind: "found", value: "two" }
  expect(await reloadable.reload(false)).toEqual({ kind: "refused", error: new Error("broken") })
  expect({ current: reloadable.current, swapped: state.swapped }).toEqual({ current: "one ", swapped: "one" })
  state.fails = false
  expect(await reloadable.reload(false)).toEqual({ kind: "replaced" })
  expect(reloadable.current).toBe("one two ")
})

test("what is like the one before is only confirmed, unless somebody asked for it", async () => {
  const { state, reloadable } = createCounter()
  await reloadable.reload(false)
  state.sighting = { kind: "found", value: "" }
  expect(await reloadable.reload(false)).toEqual({ kind: "confirmed" })
  expect(await reloadable.reload(true)).toEqual({ kind: "replaced" })
})

test("reloads take turns", async () => {
  const { reloadable } = createCounter()
  await Promise.all([reloadable.reload(true), reloadable.reload(true), reloadable.reload(false)])
  expect(reloadable.current).toBe("one one one ")
})
