import fc from "fast-check"
import { expect, test } from "vitest"
import { createWeb } from "../../../cli/publish/web.ts"

test("pauses grow, differ, and end at ten seconds", async () => {
  let chance = 0
  const pauses: number[] = []
  const web = createWeb({
    env: {},
    sleep: async (milliseconds) => pauses.push(milliseconds),
    random: () => chance,
  })
  const pauseAfter = async (tries: number, random: number) => {
    chance = random
    await web.pause(tries)
    return pauses.at(-1)
  }
  await fc.assert(
    fc.asyncProperty(
      fc.nat(40),
      fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
      async (tries, random) => {
        const pause = await pauseAfter(tries, random)
        expect(pause).toBeGreaterThanOrEqual(0)
        expect(pause).toBeLessThan(10_000)
        expect(await pauseAfter(tries + 1, random)).toBeGreaterThanOrEqual(pause ?? Number.NaN)
        if (random > 0.01) expect(pause).toBeGreaterThan((await pauseAfter(tries, 0)) ?? Number.NaN)
      },
    ),
  )
  await web.close()
})
