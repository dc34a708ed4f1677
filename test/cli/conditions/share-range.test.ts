import { expect, test } from "vitest"
import { rangeLeft, rounded } from "../../../cli/conditions/share-range.ts"

type Ends = readonly [from: number, to: number]

const rangesOf = (all: readonly Ends[]) => all.map(([from, to]) => ({ from, to }))

test.each<readonly [name: string, ranges: readonly Ends[], without: readonly Ends[], left: Ends | undefined]>(
  [
    ["everyone", [], [], [0, 100]],
    ["a range", [[10, 30]], [], [10, 30]],
    [
      "what two ranges share",
      [
        [10, 30],
        [20, 40],
      ],
      [],
      [20, 30],
    ],
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
    ["without more than its start", [[10, 30]], [[5, 20]], [20, 30]],
    ["without its end", [[10, 30]], [[20, 30]], [10, 20]],
    ["without more than its end", [[10, 30]], [[20, 35]], [10, 20]],
    ["without its middle", [[10, 30]], [[15, 20]], undefined],
    ["without all of it", [[10, 30]], [[10, 30]], undefined],
    ["without more than all of it", [[10, 30]], [[0, 100]], undefined],
    ["without what is before it", [[10, 30]], [[0, 10]], [10, 30]],
    ["without what is after it", [[10, 30]], [[30, 100]], [10, 30]],
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
    ["within 0 and 100", [[-5, 120]], [], [0, 100]],
  ],
)("a share of users is left: %s", (_, ranges, without, left) => {
  expect(rangeLeft(rangesOf(ranges), rangesOf(without))).toEqual(left && { from: left[0], to: left[1] })
})

test("percentages have three decimals", () => {
  expect([0.1 + 0.2, 33.3336, 12.5, 0.0004].map(rounded)).toEqual([0.3, 33.334, 12.5, 0])
})
