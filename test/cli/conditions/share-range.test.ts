import { expect, test } from "vitest"
import { rangeLeft, rounded } from "../../../cli/conditions/share-range.ts"

type Ends = readonly [from: number, to: number]

const rangesOf = (all: readonly Ends[]) => all.map(([from, to]) => ({ from, to }))

test.each<readonly [name: string, ranges: readonly Ends[], without: readonly Ends[], left: Ends | undefined]>(
  [
    ["everyone", [], [], [0, 100]],
    [
      "two that only touch",
      [
        [10, 30],
        [30, 40],
      ],
      [],
      undefined,
    ],
    ["without its start", [[10, 30]], [[10, 20]], [20, 30]],
    ["without its end", [[10, 30]], [[20, 30]], [10, 20]],
    ["without its middle", [[10, 30]], [[15, 20]], undefined],
    [
      "without its start, in pieces that are not in order",
      [[0, 50]],
      [
        [10, 20],
        [0, 10],
        [40, 60],
      ],
      [20, 40],
    ],
  ],
)("a share of users is left: %s", (_, ranges, without, left) => {
  expect(rangeLeft(rangesOf(ranges), rangesOf(without))).toEqual(left && { from: left[0], to: left[1] })
})

test("percentages have three decimals", () => {
  expect([0.1 + 0.2, 33.3336, 12.5, 0.0004].map(rounded)).toEqual([0.3, 33.334, 12.5, 0])
})
