import { expect, test } from "vitest"
import { createWork } from "../../../cli/conditions/work.ts"

test("steps spent from a share of a share are spent from the whole", () => {
  const work = createWork(100)
  const half = work.share(0.5)
  const quarter = half.share(0.5)
  quarter.spend(25)
  expect([quarter.isSpent, half.isSpent, work.isSpent]).toEqual([true, false, false])
  half.spend(25)
  expect([half.isSpent, work.isSpent]).toEqual([true, false])
  work.share(1).share(1).share(1).spend(50)
  expect(work.isSpent).toBe(true)
})
