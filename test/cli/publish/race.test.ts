import { afterAll, beforeAll, describe, test } from "vitest"
import type { TestPlace } from "../../contracts/publish-target.ts"
import { kinds } from "./places.ts"
import { raceOnce } from "./race-rounds.ts"

// The same rounds everywhere. In memory they cost nothing; `npm run test:s3` runs as many on each kind of place.
const everywhere = Number(process.env.FLAGSTONE_TEST_ROUNDS ?? 5)

describe.each(kinds.filter(({ isSingle }) => !isSingle))("publishers at once: $kind", ({ kind, start }) => {
  let place: TestPlace
  beforeAll(async () => {
    place = await start()
  })
  afterAll(() => place.stop())

  const rounds = kind.includes("memory") ? 1000 : everywhere
  test(`${rounds} rounds: exactly one wins, and readers find the winner's files alone`, async () => {
    for (let seed = 1; seed <= rounds; seed++) await raceOnce(seed, () => place.open(`/${seed}`), place)
  }, 600_000)
})
