import { expect, test } from "vitest"
import { plainPhrase } from "../../../../cli/diagnostics/phrase.ts"
import { judgeLane } from "../../../../cli/diff/lane/judge.ts"
import type { Side } from "../../../../cli/diff/sides/side.ts"
import { loadExpressions } from "../../../../sdk/evaluation/expression.ts"
import { sideOf } from "../sides.ts"

const compileExpression = await loadExpressions()
const staff = { attribute: "email", operator: "endsWith", value: "@a" }
const onStaff = { segment: "staff", returnValue: "on" }
const german = { attribute: "country", operator: "equals", value: "DE", returnValue: "on" }
const rollout = (to: number, rest: object = {}) => ({ share: { by: "id", to, ...rest }, returnValue: "on" })

const anything = "environments: [staging, production]"
const falls = "environments: [production], gives: default"
const only = "environments: [production], only: { segment: staff }"
const grows = "environments: [production], grows: 5"

function sideWith(lane: readonly string[], production: object, rest: object = {}): Side {
  const project = `project: p\noperators: [near]\nclock: now\nenvironments: [staging, production]\nfastLane:\n${lane.map((entry) => `  - { ${entry} }\n`).join("")}`
  const flag = { type: "string", defaultValue: "off", environments: { production }, ...rest }
  const side = sideOf({ f: flag }, project, { staff })
  const segments = side.flags[0]?.references
  return { ...side, ...(segments && { segments: segments as NonNullable<Side["segments"]> }) }
}

const rolloutWords = "in `production` a rollout grows by at most 5 points, and no one loses it"
const on = (...rules: readonly object[]) => ({ enabled: true, rules })

type Case = readonly [lane: readonly string[], before: object, after: object, said: string, rest: object]

const before2000 = { attribute: "now", operator: "before", value: "2000-01-01T00:00:00Z" }
const now = Date.UTC(2026, 11, 3)
const ramp = (...shares: readonly number[]) => {
  const stages = shares.map((share, at) => ({
    at: new Date(Date.UTC(2026, 11, 2 * at + 2)).toISOString(),
    share,
  }))
  return { ramp: { by: "id", stages }, returnValue: "on" }
}

const judged = (lane: readonly string[], before: object, after: object, rest: object) =>
  judgeLane(sideWith(lane, before), sideWith(lane, after, rest), compileExpression, now)

test.each<Case>([
  [[anything], on(), on(), "no user gets a different value", {}],
  [[anything], on(), on(german), "in `production` any change is allowed", {}],
  [[anything], on(), on(), "in `staging`, `production` any change is allowed", { defaultValue: "new" }],
  [[falls], on(german), on(), "in `production` users only fall back to the default", {}],
  [[only], on(german), on(onStaff, german), "in `production` only users in segment `staff` change", {}],
  [
    [only, falls],
    on(german),
    on(onStaff),
    "in `production` only users in segment `staff` change and in `production` users only fall back to the default",
    {},
  ],
  [[grows], on(rollout(10)), on(rollout(15)), rolloutWords, {}],
  [[grows], on(rollout(10, { from: 5 })), on(rollout(10)), rolloutWords, {}],
  [["environments: [production], grows: 1", grows], on(rollout(10)), on(rollout(14)), rolloutWords, {}],
  // A ramp of 10 % now and more from the 4th on: held, replaced by a smaller one, and begun.
  [[falls], on(ramp(10, 100)), on(rollout(10)), "in `production` users only fall back to the default", {}],
  [[falls], on(ramp(10, 100)), on(ramp(10, 50)), "in `production` users only fall back to the default", {}],
  [[grows], on(rollout(10)), on(ramp(10, 12, 15)), rolloutWords, {}],
  [[grows], on(ramp(10, 100)), on(rollout(10)), rolloutWords, {}],
  [
    [grows, only],
    on(rollout(10)),
    on(onStaff, rollout(15)),
    `${rolloutWords} and in \`production\` only users in segment \`staff\` change`,
    {},
  ],
])("inside %j: %j → %j: %s", (lane, before, after, said, rest) => {
  const { isInside, words } = judged(lane, before, after, rest)
  expect([isInside, plainPhrase(words)]).toEqual([true, said])
})

const noFall = "here, users may only fall back to the default"
const noOthers = "here, only users in segment `staff` may get a different value"
const noGrowth = "here, one rollout may grow by at most 5 points, from the default"
const identified = { ...german, id: "one" }
test.each<readonly [...Case, near: string]>([
  [[falls], on(), on(german), "`on` instead of `off`", {}, noFall],
  [
    ["environments: [staging]", falls],
    on(german),
    on(),
    "`new` instead of `o",
    { defaultValue: "new" },
    noFall,
  ],
  [[only], on(), on(german), "`on` instead of `off`", {}, noOthers],
  [[only], on(ramp(10, 100)), on(rollout(10)), " instead of `o", {}, noOthers],
  [[falls], on(ramp(10, 100)), on(rollout(20)), "`on` instead of `off`", {}, noFall],
  [
    [falls],
    on(ramp(10, 50)),
    on(ramp(10, 60)),
    '`on` instead of `off` to the context `{"now":"2026-12-04T00:00:00.000Z"',
    {},
    noFall,
  ],
  [
    [grows],
    on(rollout(10)),
    on(ramp(10, 12, 20)),
    '`on` instead of `off` to the context `{"now":"2026-12-06T00:00:00.000Z"',
    {},
    noGrowth,
  ],
  [[falls], on(), on({ all: [before2000, staff], returnValue: "on" }), "`on` instead of `off`", {}, noFall],
  [[grows], on(rollout(10)), on(rollout(15.1)), "`on` instead of `off`", {}, noGrowth],
  [[grows], on(rollout(10)), on(rollout(5)), "`off` instead of `on`", {}, noGrowth],
  [[grows], on(rollout(10)), on(rollout(12, { seed: "s" })), "`off` instead of `on`", {}, noGrowth],
  [[grows], on(rollout(10)), on({ ...rollout(12), returnValue: "b" }), "`b` instead of `o", {}, noGrowth],
  [[falls, only, grows], on(rollout(10)), on(rollout(20)), "`on` instead of `off`", {}, noGrowth],
  [[falls, only], on(rollout(10)), on(rollout(20)), "`on` instead of `off`", {}, noFall],
  [
    [only],
    on(),
    on({ attribute: "place", operator: "near", value: "1", returnValue: "on" }),
    "may give users a different value; it cannot be decided whether it does",
    {},
    noOthers,
  ],
  [["environments: [staging]"], on(), on(german), "`on` instead of `off`", {}, ""],
  [[anything], on(identified), { ...on(identified), id: "mine" }, "an id of `f` changes", {}, ""],
  [[anything], on(), on(), "an id of `f` changes", { id: "mine" }, ""],
  [[anything], on(), on(), "the type of `f` changes", { type: "number", defaultValue: 1 }, ""],
  [[anything], on(german), on(german), "the flag `g` is renamed", { key: "g" }, ""],
])("outside %j: %j → %j: %s", (lane, before, after, said, rest, near) => {
  const { isInside, words, nearest } = judged(lane, before, after, rest)
  expect([isInside, plainPhrase(words).replaceAll(/`"|"`/g, "`")]).toEqual([
    false,
    expect.stringContaining(said),
  ])
  expect(nearest === undefined ? "" : plainPhrase(nearest.words)).toBe(near)
})
