import { describe, expect, test } from "vitest"
import type { FlagView } from "../../../../cli/catalog/page/flag-view.ts"
import { questionsOf } from "../../../../cli/catalog/page/questions.ts"

const now = Date.parse("2026-11-21T10:00:00Z")
const ago = (days: number) => now - days * 86_400_000
const asked = questionsOf({
  ...{ now, environments: ["production", "development", "staging"], protected: 1 },
  ...{ live: 0, beforeLive: 2, changed: 1 },
})

type Cells = FlagView["cells"]
type Cell = Cells[number]
const reachedRules = (...reached: readonly boolean[]): Cell["reached"] =>
  reached.map((isReached) => ({ isReached, hits: 0, witness: "" }))
const cell = (changes: Partial<Cell> = {}) =>
  ({
    state: "on",
    isEnabled: true,
    constant: "0",
    changedAt: ago(1),
    reached: reachedRules(true, true),
    ...changes,
  }) as Cell
const flag = (changes: Partial<FlagView> = {}) =>
  ({
    createdAt: ago(400),
    expires: "",
    updatedAt: ago(400),
    defaultConstant: "9",
    isChanged: false,
    staleAfter: 30 * 86_400_000,
    owner: "a",
    isTested: true,
    cells: [cell(), cell(), cell()],
    ...changes,
  }) as FlagView
const old = [31, 60, 90].map((days) => cell({ changedAt: ago(days) }))
const unset = cell({ state: "none", isEnabled: false, constant: "9", changedAt: undefined })
const disabled = cell({ state: "off", isEnabled: false, constant: "9", changedAt: ago(31) })
const shared = (days: number) => cell({ state: "share", constant: undefined, changedAt: ago(days) })
const valued = (constant: string) => cell({ state: "value", constant })
const fresh = (days: number) => ({ createdAt: ago(days), updatedAt: ago(days) })
const unreached = cell({ reached: reachedRules(true, false, true) })

describe.each<readonly [string, readonly (readonly [string, FlagView, boolean])[]]>([
  [
    "unreached",
    [
      ["in every environment", flag({ cells: [unreached, unreached, unreached] }), true],
      ["in one of three", flag({ cells: [cell(), unreached, cell()] }), true],
      ["in none", flag(), false],
      ["the default alone", flag({ cells: [cell({ reached: reachedRules(true, false) })] }), false],
      [
        "where it is off",
        flag({ cells: [cell({ reached: reachedRules(false, true), isEnabled: false })] }),
        false,
      ],
    ],
  ],
  [
    "waiting",
    [
      ["on in staging, not configured in production", flag({ cells: [unset, cell(), cell()] }), true],
      ["on in staging, disabled in production", flag({ cells: [disabled, cell(), cell()] }), true],
      [
        "a share in staging, the default in production",
        flag({ cells: [valued("9"), cell(), shared(3)] }),
        true,
      ],
      ["on in both", flag(), false],
      ["on in development alone", flag({ cells: [unset, cell(), unset] }), false],
      ["on in production alone", flag({ cells: [cell(), unset, unset] }), false],
    ],
  ],
  [
    "due",
    [
      ["expired", flag({ expires: "2026-11-20" }), false],
      ["in 30 days", flag({ expires: "2026-12-21" }), true],
      ["in 31 days", flag({ expires: "2026-12-23" }), false],
      ["never", flag(), false],
    ],
  ],
  [
    "expired",
    [
      ["yesterday", flag({ expires: "2026-11-20" }), true],
      ["tomorrow", flag({ expires: "2026-11-22" }), false],
      ["never", flag(), false],
    ],
  ],
  [
    "settled",
    [
      ["for 31 days", flag({ cells: old }), true],
      ["in the only environment that has it", flag({ cells: [old[0], unset] as Cells }), false],
      ["waiting for production", flag({ cells: [unset, ...old.slice(1)] }), false],
      ["for 29 days", flag({ cells: [cell({ changedAt: ago(29) }), ...old] }), false],
      ["with a new description", flag({ cells: old, updatedAt: ago(29) }), false],
      ["with two values", flag({ cells: [...old, cell({ changedAt: ago(90), constant: "1" })] }), false],
      ["where it is never stale", flag({ cells: old, staleAfter: Number.POSITIVE_INFINITY }), false],
    ],
  ],
  [
    "settled-in-protected",
    [
      ["a different value elsewhere", flag({ cells: [...old.slice(1), cell({ constant: "1" })] }), true],
      ["the same everywhere", flag({ cells: old }), false],
      ["in development alone", flag({ cells: [shared(1), ...old.slice(1)] }), false],
      ["in the only environment that has it", flag({ cells: [old[0], unset] as Cells }), true],
      ["waiting for production, which does not have it", flag({ cells: [unset, ...old.slice(1)] }), false],
      ["waiting for production, where it is disabled", flag({ cells: [disabled, ...old.slice(1)] }), false],
    ],
  ],
  [
    "never-on",
    [
      [
        "the default for 61 days",
        flag({ ...fresh(61), cells: [cell({ changedAt: ago(61), constant: "9" })] }),
        true,
      ],
      [
        "the default for 59 days",
        flag({ ...fresh(59), cells: [cell({ changedAt: ago(59), constant: "9" })] }),
        false,
      ],
      ["a different value", flag({ ...fresh(61), cells: [cell({ changedAt: ago(61) })] }), false],
    ],
  ],
  [
    "stuck",
    [
      ["a share of 31 days in production", flag({ cells: [shared(31), cell()] }), true],
      ["a share of 29 days", flag({ cells: [shared(29)] }), false],
      ["a share in development", flag({ cells: [cell(), shared(31)] }), false],
      ["none", flag({ cells: [cell({ changedAt: ago(31) })] }), false],
    ],
  ],
  [
    "ahead",
    [
      [
        "on behind an environment that is off",
        flag({ cells: [cell(), cell(), cell({ state: "off" })] }),
        true,
      ],
      ["on everywhere", flag(), false],
      ["a value that is the default", flag({ cells: [valued("9"), cell(), cell({ state: "off" })] }), false],
      ["a value other than the default", flag({ cells: [valued("1"), cell(), valued("9")] }), true],
    ],
  ],
  [
    "branch",
    [
      ["changed", flag({ isChanged: true }), true],
      ["not changed", flag(), false],
    ],
  ],
  [
    "unowned",
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
      ["changed a week ago", flag({ cells: [cell({ changedAt: ago(7) })] }), false],
      ["with a new default", flag({ cells: old, updatedAt: ago(6) }), true],
    ],
  ],
])("%s", (name, cases) => {
  test.each(cases)("%s", (_, view, holds) => expect(asked.get(name)?.holds(view)).toBe(holds))
})

describe("which questions there are", () => {
  const always = ["settled", "never-on", "expired", "due", "week", "unowned", "unreached", "untested"]
  const namesWith = (rest: object) =>
    questionsOf({
      ...{ now, environments: ["production", "development", "staging"], protected: 0 },
      ...{ live: 0, beforeLive: -1, changed: -1, ...rest },
    })

  test.each<readonly [object, readonly string[]]>([
    [{}, []],
    [{ protected: 1 }, ["settled-in-protected", "stuck", "over"]],
    [{ beforeLive: 2 }, ["waiting", "ahead"]],
    [{ changed: 0 }, ["branch"]],
  ])("with %j", (rest, more) => {
    expect([...namesWith(rest).keys()].toSorted()).toEqual([...always, ...more].toSorted())
  })
})
