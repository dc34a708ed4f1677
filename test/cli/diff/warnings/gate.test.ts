import { join } from "node:path"
import { describe, expect, test } from "vitest"
import type { Side } from "../../../../cli/diff/sides/side.ts"
import { diffOf, shop, sideOf } from "../sides.ts"

// Edits of a protected environment, by what they do to users: those that wait for a reviewer, and those that pass.

type Rules = readonly object[]

const staff = { attribute: "email", operator: "endsWith", value: "@acme.example" }
const german = { attribute: "country", operator: "equals", value: "DE" }
const pro = { attribute: "plan", operator: "equals", value: "pro" }
const on = (condition: object, returnValue: unknown = true) => ({ ...condition, returnValue })
const always = (returnValue: unknown = true) => ({ operator: "always", returnValue })
const is = (attribute: string, operator: string, value?: unknown) => ({
  attribute,
  operator,
  ...(value !== undefined && { value }),
})
const percent = (value: number) => is("id", "percentage", String(value))
const share = (to: number, rest: object = {}) => ({ share: { by: "id", to, ...rest } })
const all = (...conditions: readonly object[]) => ({ all: conditions })
const none = (...conditions: readonly object[]) => ({ none: conditions })
const split = (arms: readonly (readonly [number, unknown])[], rest: object = {}) => ({
  split: { by: "id", into: arms.map(([share, returnValue]) => ({ share, returnValue })), ...rest },
})
const halves = split([
  [50, "control"],
  [50, "green"],
])
const blueHalf = split([
  [50, "green"],
  [50, "blue"],
])
const words = { type: "string", defaultValue: "control" }
const greens = (share: number) =>
  split([
    [100 - share, "control"],
    [share, "green"],
  ])
const yes = (share: number, by = "id") =>
  split(
    [
      [share, true],
      [100 - share, false],
    ],
    { by },
  )
const rollout = (to: number) => [on(staff), on(percent(to))]
const segments = { staff, beta: is("id", "in", ["a", "b", "c"]) }

function sideWith(rules: Rules | undefined, file: object, own: object = segments): Side {
  const production = rules === undefined ? {} : { production: { enabled: true, rules } }
  const first = "defaultValue" in file ? "green" : true
  const staging = { enabled: true, rules: [{ operator: "always", returnValue: first }] }
  return sideOf({ f: { defaultValue: false, ...file, environments: { staging, ...production } } }, shop, {
    ...own,
  })
}

function codes(before: Side, after: Side): readonly string[] {
  return diffOf(before, after).warnings.map(({ code }) => code)
}

type Edit = readonly [name: string, before: Rules | undefined, after: Rules | undefined, file?: object]

const edits: Readonly<Record<string, readonly Edit[]>> = {
  "everyone-changes": [
    ["on for everyone", [], [always()]],
    [
      "two halves that change places",
      [halves],
      [
        split([
          [50, "green"],
          [50, "control"],
        ]),
      ],
      words,
    ],
  ],
  "many-change": [
    ["a share in a country that is removed", [on(all(german, percent(10)))], [on(german)]],
    ["half a country that is added", [on(all(german, percent(50)))], [on(german)]],
    ["a share in a country that is added", [on(german)], [on(all(german, percent(10)))]],
    ["the other half wins", [halves], [always("green")], words],
    ["most of a split get the default", [halves], [split([[10, "green"]])], words],
    ["all but a share of a share", [], [on(all(share(0.001), share(9, { seed: "s" })), false), always()]],
  ],
  "users-lose": [
    ["most of a country", [on(german)], [on(all(german, percent(60)))]],
    ["a percentage from 50 to 49", rollout(50), rollout(49)],
    ["a rule that is gone", rollout(10), rollout(10).slice(1)],
    ["an exception", [always()], [on(none(german))]],
    [
      "a holdout that grows",
      [on(share(5, { seed: "h" }), "control"), halves],
      [on(share(10, { seed: "h" }), "control"), halves],
      words,
    ],
    [
      "a different attribute for a split of strings, with a rule for those who lack the first",
      [
        split(
          [
            [90, "control"],
            [10, "green"],
          ],
          { by: "session" },
        ),
        { ...is("session", "notExists"), ...greens(10) },
      ],
      [greens(10)],
      words,
    ],
  ],
  "users-rebucketed": [
    ["a percentage that is inverted", [on(percent(20))], [on(percent(80), false), always()]],
    ["a different seed", [on(share(20, { seed: "a" }))], [on(share(20, { seed: "b" }))]],
    ["a different attribute", [on(percent(20))], [on(is("account", "percentage", "20"))]],
    [
      "the greater part wins",
      [
        split([
          [30, "green"],
          [70, "blue"],
        ]),
      ],
      [always("blue")],
      words,
    ],
    [
      "an arm that grows at the cost of one that is the default",
      [
        split([
          [80, "control"],
          [20, "green"],
        ]),
      ],
      [
        split([
          [60, "control"],
          [40, "green"],
        ]),
      ],
      words,
    ],
    [
      "arms that change places",
      [
        split([
          [20, "green"],
          [20, "blue"],
        ]),
      ],
      [
        split([
          [20, "blue"],
          [20, "green"],
        ]),
      ],
      words,
    ],
    [
      "rules that change places",
      [on(german, "green"), on(pro, "blue")],
      [on(pro, "blue"), on(german, "green")],
      words,
    ],
    [
      "rules with expressions that change places",
      [on(is("email", "matches", "^a"), "green"), on(is("email", "matches", "z$"), "blue")],
      [on(is("email", "matches", "z$"), "blue"), on(is("email", "matches", "^a"), "green")],
      words,
    ],
  ],
  none: [
    ["a percentage from 1 to 25", rollout(1), rollout(25)],
    ["a boolean split whose greater part wins users", [yes(20)], [yes(40)]],
    ["a percentage from 45 to 94", rollout(45), rollout(94)],
    ["a country more", [on(is("country", "in", ["DE"]))], [on(is("country", "in", ["DE", "AT"]))]],
    ["staff", rollout(10).slice(1), rollout(10)],
    ["a new rule", [], [on(german)]],
    ["a share of a country", [], [on(all(german, percent(60)))]],
    ["merged rules", [on(german), on(pro)], [on({ any: [german, pro] })]],
    ["De Morgan", [on(none(all(german, pro)))], [on({ any: [none(german), none(pro)] })]],
    [
      "rules that never meet change places",
      [on(german), on(is("country", "equals", "AT"))],
      [on(is("country", "equals", "AT")), on(german)],
    ],
    [
      "an equal split",
      [halves],
      [
        split([
          [25, "control"],
          [25, "control"],
          [50, "green"],
        ]),
      ],
      words,
    ],
    [
      "an expression that is the same",
      [on(is("email", "matches", "^a"))],
      [on(is("email", "matches", "^a"))],
    ],
    ["one condition less", [on(all(german, pro))], [on(german)]],
    ["a lower version", [on(is("v", "semverGreaterThan", "4.2"))], [on(is("v", "semverGreaterThan", "4.1"))]],
    [
      "the last arm grows",
      [
        split([
          [10, "green"],
          [10, "blue"],
        ]),
      ],
      [
        split([
          [10, "green"],
          [40, "blue"],
        ]),
      ],
      words,
    ],
    [
      "a percentage of the default that gets a new value",
      [on(percent(20), "control")],
      [on(percent(20), "green")],
      words,
    ],
    ["another value for a country", [on(german, "green")], [on(german, "blue")], words],
    [
      "a start of an experiment with a few",
      [],
      [
        split([
          [20, "green"],
          [20, "blue"],
        ]),
      ],
      words,
    ],
    ["a share that becomes a percentage", [on(share(10))], [on(percent(10))]],
    ["a segment above a split", [halves], [on({ segment: "staff" }, "green"), halves], words],
    ["a country above a split", [halves], [on(german, "blue"), halves], words],
    [
      "a country above a split, removed",
      [on(german, "green"), blueHalf, always("green")],
      [blueHalf, always("green")],
      words,
    ],
  ],
}

describe.each(Object.entries(edits))("%s", (code, cases) => {
  test.each(cases.map(([name, before, after, file = {}]) => ({ name, before, after, file })))(
    "$name",
    ({ before, after, file }) => {
      const own = "defaultValue" in file ? file : {}
      expect(codes(sideWith(before, own), sideWith(after, own))).toEqual(code === "none" ? [] : [code])
    },
  )
})

test("each warning says what happens to whom, at the place of the edit", async () => {
  const shown = Object.values(edits)
    .flat()
    .flatMap(([name, before, after, file = {}]) => {
      const own = "defaultValue" in file ? file : {}
      const { warnings } = diffOf(sideWith(before, own), sideWith(after, own))
      return warnings.map(({ code, message, location: { source, span } }) => {
        return `${name}: ${code} at ${source.text.slice(span.start, span.end)}\n  ${message}\n`
      })
    })
  await expect(shown.join("")).toMatchFileSnapshot(join(import.meta.dirname, "expected-gate.txt"))
})

describe("segments", () => {
  const used = [on({ segment: "beta" })]
  test.each<readonly [string, object, readonly string[]]>([
    ["one that loses users", is("id", "in", ["a"]), ["users-lose"]],
    ["one that everyone is in", is("id", "exists"), ["everyone-changes"]],
  ])("%s", (_, beta, expected) =>
    expect(codes(sideWith(used, {}), sideWith(used, {}, { ...segments, beta }))).toEqual(expected),
  )
})

test("two groups whose values are swapped lose them", () => {
  const [before, after] = [
    ["a", "b"],
    ["b", "a"],
  ].map(([a, b]) => sideWith([on(german, a), on(pro, b)], words)) as [Side, Side]
  expect(codes(before, after)).toEqual(["users-lose", "users-lose"])
  const [circle, turned] = ["abc", "bca"].map((values) =>
    sideWith(
      [..."012"].map((plan, at) => on(is("plan", "equals", plan), values[at])),
      words,
    ),
  ) as [Side, Side]
  expect(codes(circle, turned)).toContain("users-lose")
  const rules = [on(german, "a"), on(pro, "b")]
  const split = {
    split: {
      by: "id",
      into: [
        { share: 20, returnValue: "a" },
        { share: 20, returnValue: "b" },
      ],
    },
  }
  expect(codes(sideWith(rules, words), sideWith([split, ...rules], words))).toContain("users-lose")
})

test("a default that changes is lost by no one, unless others get the old one", () => {
  const side = (defaultValue: string, ofGermans: string) =>
    sideWith([on(german, ofGermans), on(percent(60), "green")], { ...words, defaultValue })
  expect(codes(side("control", "blue"), side("blue", "blue"))).toEqual([])
  expect(codes(side("control", "blue"), side("blue", "control"))).toEqual(["users-lose"])
})

test("a loss shows where two long values differ", () => {
  const long = "x".repeat(130)
  const side = (ofGermans: string) =>
    sideWith([on(german, ofGermans)], { ...words, defaultValue: `${long} 1` })
  const [warning] = diffOf(side(`${long} 2`), side(`${long} 1`)).warnings
  expect(warning?.message).toMatch(/lose `…x+ 2"` and get `…x+ 1"`/)
})

test("an unprotected environment has none", () => {
  const side = (to: number) =>
    sideOf({ f: { defaultValue: false, environments: { staging: { enabled: true, rules: rollout(to) } } } })
  for (const to of [0, 20, 100]) expect(codes(side(50), side(to))).toEqual([])
})

test("a flag that is switched off for some, or for everyone", () => {
  const side = (enabled: boolean, rule: object) =>
    sideOf({ f: { defaultValue: false, environments: { production: { enabled, rules: [rule] } } } })
  expect(codes(side(true, on(staff)), side(false, on(staff)))).toEqual(["users-lose"])
  expect(codes(side(true, always()), side(false, always()))).toEqual(["everyone-changes"])
})

test("many rules in the other order that only a list matches at once", { timeout: 120_000 }, () => {
  const rules = Array.from({ length: 900 }, (_, at) => on(is("country", "equals", `c${at}`), `v${at}`))
  expect(codes(sideWith(rules, words), sideWith(rules.toReversed(), words))).toEqual([])
})

test("two edits have a warning each, at their own lines", () => {
  const text = (percentage: number, countries: string) => `defaultValue: false
environments:
  production:
    enabled: true
    rules:
      - { attribute: country, operator: in, value: [${countries}], returnValue: true }
      - { attribute: id, operator: percentage, value: "${percentage}", returnValue: true }
`
  const lines = diffOf(sideOf({ f: text(90, "DE, AT") }), sideOf({ f: text(20, "DE") })).warnings.map(
    ({ code, location: { source, span } }) => [code, source.text.slice(0, span.start).split("\n").length],
  )
  expect(lines).toEqual([
    ["many-change", 7],
    ["users-lose", 6],
  ])
})

describe("the words are true of the users they name", () => {
  const arms = (a: number, b: number, by = "id") =>
    split(
      [
        [a, "a"],
        [b, "b"],
      ],
      { by },
    )
  const off = "In `production`, "
  test.each<readonly [string, Rules, Rules, object, readonly string[]]>([
    [
      "those without the attribute of a split, which others now divide",
      [on(german, "b"), arms(50, 50)],
      [arms(50, 50)],
      words,
      ['users in `DE` without an `id` lose `"b"` and get `"control"`. Check that this is intended.'],
    ],
    [
      "an arm that shrinks above a rule for the rest",
      [arms(50, 50), always("c")],
      [arms(50, 20), always("c")],
      words,
      [],
    ],
    [
      "an arm that grows above another",
      [arms(20, 20)],
      [arms(30, 20)],
      words,
      ["20 % of users get a different value. Grow only the last share, or check that this is intended."],
    ],
    [
      "a smaller percentage by a different attribute",
      [on(percent(30))],
      [on(is("account", "percentage", "10"))],
      {},
      ["27 % of users who have both attributes lose `true` and get `false`. Check that this is intended."],
    ],
    [
      "the same percentage by a different attribute",
      [on(percent(30))],
      [on(is("account", "percentage", "30"))],
      {},
      [
        "users are picked by a different attribute: 42 % of users who have both attributes get a different value. Keep the attribute, or start a new flag.",
      ],
    ],
    [
      "a share in front of an experiment",
      [halves],
      [on(percent(20), "green"), halves],
      words,
      [
        "20 % of users go from one arm of an experiment to another. Keep its shares while it runs, or check that this is intended.",
      ],
    ],
    ["a rule in front of an experiment, on purpose", [halves], [on(german, "green"), halves], words, []],
    [
      "an experiment by a different attribute: the percentage is of users with both",
      [arms(50, 50)],
      [arms(50, 50, "account")],
      words,
      [
        "50 % of users who have both attributes get a different value at once (limit: 50 %). Users are picked by a different attribute: keep the attribute, or start a new flag.",
      ],
    ],
    [
      "two groups who lose different values",
      [on(german, "a"), on(pro, "b")],
      [],
      words,
      [
        'users in `DE` lose `"a"` and get `"control"`. Check that this is intended. The same goes for 1 more group of users.',
      ],
    ],
    [
      "a value of a share that takes the place of another",
      [on(percent(60), "a")],
      [on(percent(60), "b")],
      words,
      ["60 % of users get a different value at once (limit: 50 %). Check that this is intended."],
    ],
    [
      "a winner of most users",
      [arms(90, 10)],
      [always("a")],
      words,
      ["10 % of users get a different value. Check that this is intended."],
    ],
    [
      "a winner of the users of a condition",
      [{ ...german, ...arms(40, 60) }],
      [on(german, "a")],
      words,
      ["60 % of users in `DE` get a different value at once (limit: 50 %). Check that this is intended."],
    ],
    [
      "a winner of the users outside a holdout: the percentage is of all users",
      [{ none: [{ share: { by: "id", to: 20, seed: "h" } }], ...arms(10, 90) }],
      [on({ none: [{ share: { by: "id", to: 20, seed: "h" } }] }, "a")],
      words,
      ["72 % of users get a different value at once (limit: 50 %). Check that this is intended."],
    ],
    [
      "a condition in place of a percentage: the users of the condition",
      [on(percent(20))],
      [on(is("email", "exists"))],
      {},
      [
        "80 % of users with any `email` get a different value at once (limit: 50 %). Check that this is intended.",
      ],
    ],
    [
      "shares in an alternative: no part of anyone is said",
      [],
      [on(all(is("plan", "notEquals", "pro"), { any: [german, percent(60)] }))],
      {},
      [
        "60 % of users get a different value at once (limit: 50 %). Take smaller steps, or check that this is intended.",
      ],
    ],
    [
      "a split that goes",
      [arms(50, 50)],
      [],
      words,
      ["everyone with an `id` gets a different value at once. Is that what you want?"],
    ],
  ])("%s", (_, before, after, file, expected) => {
    const { after: defaultValue, ...rest } = file as { readonly after?: string }
    const [was, is] = [rest, { ...rest, ...(defaultValue && { defaultValue }) }]
    const said = diffOf(sideWith(before, was), sideWith(after, is)).warnings
    expect(said.map(({ message }) => message)).toEqual(expected.map((words) => off + words))
  })
})
