import { describe, expect, test } from "vitest"
import type { FlagView } from "../../../../cli/catalog/page/flag-view.ts"
import { questionsOf } from "../../../../cli/catalog/page/questions.ts"

const now = Date.parse("2026-11-21T10:00:00Z")
const ago = (days: number) => now - days * 86_400_000
const asked = questionsOf({ now, environments: ["development", "staging", "production"], live: 2 })

type Cell = FlagView["cells"][number]
const reachedRules = (...hits: readonly number[]) =>
  hits.map((count) => [count]) as unknown as Cell["reached"]
const cell = (changes: Partial<Cell> = {}) =>
  ({
    state: "on",
    isEnabled: true,
    constant: 0,
    changedAt: ago(1),
    reached: reachedRules(1, 1),
    ...changes,
  }) as Cell
const flag = (changes: Partial<FlagView> = {}) =>
  ({
    createdAt: ago(400),
    expires: "",
    owner: "a",
    isTested: true,
    cells: [cell(), cell(), cell()],
    ...changes,
  }) as FlagView
const unreached = cell({ reached: reachedRules(1, 0, 1) })

describe.each<readonly [string, readonly (readonly [string, FlagView, boolean])[]]>([
  [
    "unreached",
    [
      ["in every environment", flag({ cells: [unreached, unreached, unreached] }), true],
      ["in one of three", flag({ cells: [cell(), unreached, cell()] }), true],
      ["in none", flag(), false],
      ["the default alone", flag({ cells: [cell({ reached: reachedRules(1, 0) })] }), false],
      ["where it is off", flag({ cells: [cell({ reached: reachedRules(0, 1), isEnabled: false })] }), false],
    ],
  ],
  [
    "due",
    [
      ["expired", flag({ expires: "2026-11-20" }), true],
      ["in 30 days", flag({ expires: "2026-12-21" }), true],
      ["in 31 days", flag({ expires: "2026-12-23" }), false],
      ["never", flag(), false],
    ],
  ],
  [
    "same",
    [
      ["for 61 days", flag({ cells: [cell({ changedAt: ago(61) }), cell({ changedAt: ago(90) })] }), true],
      ["for 59 days", flag({ cells: [cell({ changedAt: ago(59) }), cell({ changedAt: ago(90) })] }), false],
      [
        "another value",
        flag({ cells: [cell({ changedAt: ago(90) }), cell({ changedAt: ago(90), constant: 1 })] }),
        false,
      ],
    ],
  ],
  [
    "stuck",
    [
      ["a share of 31 days", flag({ cells: [cell(), cell({ state: "share", changedAt: ago(31) })] }), true],
      ["a share of 29 days", flag({ cells: [cell({ state: "share", changedAt: ago(29) })] }), false],
      ["none", flag({ cells: [cell({ changedAt: ago(31) })] }), false],
    ],
  ],
  [
    "ahead",
    [
      [
        "on behind an environment that is off",
        flag({ cells: [cell(), cell({ state: "off" }), cell()] }),
        true,
      ],
      ["on everywhere", flag(), false],
    ],
  ],
  [
    "nobody",
    [
      ["without an owner", flag({ owner: "" }), true],
      ["with one", flag(), false],
    ],
  ],
  [
    "untested",
    [
      ["without a spec", flag({ isTested: false }), true],
      ["with one", flag(), false],
    ],
  ],
  [
    "week",
    [
      ["changed yesterday", flag(), true],
      ["changed long ago", flag({ cells: [cell({ changedAt: ago(8) })] }), false],
    ],
  ],
])("%s", (name, cases) => {
  test.each(cases)("%s", (_, view, holds) => expect(asked.get(name)?.holds(view)).toBe(holds))
})
