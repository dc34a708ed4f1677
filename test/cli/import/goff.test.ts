import { describe, expect, test } from "vitest"
import { parse } from "yaml"
import { goff } from "../../../cli/import/goff.ts"
import { importTexts, lossesIn } from "./import-text.ts"

function importing(flag: object, accept: readonly string[] = []) {
  const flags = { a: { variations: { on: true, off: false }, defaultRule: { variation: "off" }, ...flag } }
  return importTexts(goff, [{ path: "a.json", text: JSON.stringify(flags), environment: undefined }], {
    accept,
  })
}

/** The answers of the evaluator in gofeatureflag-python-provider 1.3.0. */
test.each([
  ['p in ["Pro", "x"]', { p: "Pro" }, true],
  ['p in ["Pro", "x"]', { p: "pro" }, false],
  ['p eq "ÄÖ"', { p: "äö" }, true],
  ["s gt 10", { s: 10.5 }, false],
  ["s gt 10", { s: 11 }, true],
  ["s gt 10.0", { s: 10.5 }, true],
  ["s gt 0", { s: 0.5 }, false],
  ["s gt -5", { s: -4.5 }, true],
  ["s gt -5", { s: -5 }, false],
  ["s ge 10", { s: 10 }, true],
  ["s ge 0", { s: -0.5 }, true],
  ["s lt 0", { s: -0.5 }, false],
  ["s le 10", { s: 10.5 }, true],
  ["s le -1", { s: -1.5 }, true],
  ["s le -1", { s: -0.5 }, false],
  ["s eq 10", { s: 10.5 }, true],
  ["s eq 0", { s: -0.5 }, true],
  ["s eq -1", { s: -1.5 }, true],
  ["s ne 10", { s: 10.5 }, false],
  ["s eq 1.5e3", { s: 1500 }, true],
  ["anonymous eq false", {}, true],
  ["anonymous ne true", {}, true],
  ["anonymous pr", {}, true],
  ["anonymous eq true", { anonymous: true }, true],
  ['{ "==": [{ "var": "anonymous" }, true] }', { anonymous: true }, true],
  ['{ "==": [{ "var": "anonymous" }, false] }', {}, true],
  ['{ "!=": [{ "var": "anonymous" }, true] }', {}, true],
  ['{ "!": [{ "var": "anonymous" }] }', {}, true],
  ['{ "var": "anonymous" }', { anonymous: true }, true],
  ['{ "in": [{ "var": "key" }, ["u-1"]] }', {}, true],
  ['{ "in": [{ "var": "user_key" }, ["u-2"]] }', {}, false],
  ['key eq "u-1"', {}, true],
  ['user_key eq "u-2"', {}, false],
  ['p co "b"', { p: "aBc" }, true],
  ['p co "b"', { p: "a" }, false],
  ['p sw "a"', { p: "ab" }, true],
  ['p sw "a"', { p: "ba" }, false],
  ['p ew "a"', { p: "ba" }, true],
  ['p ew "a"', { p: "ab" }, false],
  ['p ne "a"', { p: "b" }, true],
  ['p ne "a"', { p: "A" }, false],
  ['p ne "a"', {}, false],
  ['p eq "1"', { p: "1" }, true],
  ["p in [1, 2.5]", { p: 2.5 }, true],
  ["p in [1, 2.5]", { p: 2 }, false],
  ["p pr", { p: "a" }, true],
  ["p pr", {}, false],
  ['not (p eq "a")', { p: "b" }, true],
  ['NOT (p eq "a")', { p: "a" }, false],
  ['not (p eq "a")', {}, true],
  ['not eq "a"', { not: "a" }, true],
  ['p eq "a" and s gt 1', { p: "a", s: 2 }, true],
  ['p eq "a" and s gt 1', { p: "a", s: 1 }, false],
  ['p eq "a" or s gt 1', { s: 2 }, true],
  ['p eq "a" or s gt 1', { s: 1 }, false],
  ['p eq "a" or p eq "b" and s gt 1', { p: "a", s: 1 }, false], // from left to right
  ['p eq "a" or (p eq "b" and s gt 1)', { p: "a", s: 1 }, true],
  ["b eq true", { b: true }, true],
  ["b eq true", { b: false }, false],
  ["b ne true", { b: false }, true],
  ["b ne true", { b: true }, false],
  ["b ne true", {}, false],
  ["v gt 1.2.3", { v: "1.10.0" }, true],
  ["v gt 1.2.3", { v: "1.2.3" }, false],
  ["v ge 1.2.3", { v: "1.2.3" }, true],
  ["v lt 1.2.3", { v: "1.2.3-rc.1" }, true],
  ["v le 1.2.3", { v: "1.2.4" }, false],
  ["v eq 1.2.3", { v: "1.2.3" }, true],
  ["v ne 1.2.3", { v: "1.2.4" }, true],
  ["v ne 1.2.3", { v: "1.2.3" }, false],
  ["v gt 1.2.3-beta", { v: "1.2.3" }, false],
  ["v ge 1.2.3-beta", { v: "1.2.3" }, true],
  ["v ge 1.2.3+b", { v: "1.2.3" }, true],
  ["v ge 1.2.3-beta", { v: "1.2.3-rc" }, false],
  ["v lt 1.2.3-beta", { v: "1.2.3-rc" }, true],
  ["v eq 1.2.3-beta", { v: "1.2.3" }, true],
  ["v eq 1.2.3-beta", { v: "1.2.3-beta" }, false],
  ["v ne 1.2.3-beta", { v: "1.2.3-beta" }, true],
  ["s ne 1.5", { s: 1.6 }, true],
  ["s ne 1.5", { s: 1.5 }, false],
  ["s ge 1.5", { s: 1.5 }, true],
  ["s lt 1.5", { s: 1.5 }, false],
  ["s le 1.5", { s: 1.5 }, true],
  ["s < 3", { s: 2 }, true],
  ["s >= 3", { s: 2 }, false],
  ['  p eq "a" ', { p: "a" }, true],
  ['  { "==": [{ "var": "p" }, "a"] }', { p: "a" }, true],
])("%s of %j is %s on both sides", async (query, attributes, expected) => {
  const found = await importing({ targeting: [{ query, variation: "on" }] })
  expect(found.results.map(({ verdict }) => verdict)).not.toContain("cannot")
  expect(found.remarks.filter(({ text }) => text.endsWith("left out"))).toEqual([])
  const context: Record<string, unknown> = { targetingKey: "u-1", ...attributes }
  const theirs = found.read.flags[0]?.configurations[0]?.meaning((name) => context[name], goff.hash)
  expect(theirs).toEqual({ kind: "value", value: expected })
  const evaluator = await found.evaluatorOf("production")
  expect(evaluator.evaluate("a", context)).toMatchObject({ value: expected })
})

test.each([
  ['p eq "İstanbul"', "istanbul", true],
  ['p eq "İstanbul"', "i\u0307stanbul", false],
  ['p eq "istanbul"', "İSTANBUL", true],
  ['p eq "ΟΔΟΣ"', "οδοσ", true],
  ['p eq "ΟΔΟΣ"', "οδος", false],
  ['p sw "ΟΔΟΣ"', "ΟΔΟΣΑ", true],
])("%s of %j is %s in GO Feature Flag, which ignores case letter by letter", async (query, p, value) => {
  const { read } = await importing({ targeting: [{ query, variation: "on" }] })
  const context: Record<string, unknown> = { targetingKey: "u-1", p }
  const theirs = read.flags[0]?.configurations[0]?.meaning((name) => context[name], goff.hash)
  expect(theirs).toEqual({ kind: "value", value })
})

test.each([
  'p eq "ΟΔΟΣ"',
  'p ne "İstanbul"',
  'anonymous eq "true"',
  'anonymous ne "x"',
  "anonymous ne 1",
  'anonymous in ["true"]',
  '{ "==": [{ "var": "anonymous" }, null] }',
  '{ "==": [{ "var": "anonymous" }, 0] }',
  '{ "in": [{ "var": "anonymous" }, [false]] }',
  '{ "<": [{ "var": "anonymous" }, 1] }',
  '{ "sem_ver": [{ "var": "anonymous" }, "!=", "1.0.0"] }',
  '{ "var": ["s", true] }',
  '{ "!": { "var": ["s", false] } }',
  'p gt "a"',
  'p in "a"',
  "b gt true",
  "s co 5",
  "s in 5",
  'p eq ["a"]',
  "p eq null",
  "p ne null",
  "v co 1.2.3",
])("%s is reported as import-logic", async (query) => {
  expect(await codesOf(query)).toEqual(["import-logic"])
})

test.each(["s eq 1e3", "s in [1e3, 2]", "s eq 01", "s gt 9007199254740992", "s ne -9223372036854775809"])(
  "%s, which GO Feature Flag misreads, is reported as import-malformed",
  async (query) => {
    expect(await codesOf(query)).toEqual(["import-malformed"])
  },
)

test.each([
  ["", "import-malformed: a rule without a query"],
  ['p eq "a', "import-malformed: the query: unexpected text at character 5"],
  ["p", "import-malformed: the query: unexpected end at character 2"],
  ["p eq", "import-malformed: the query: unexpected end at character 5"],
  ["p eq )", "import-malformed: the query: a value is missing; strings need double quotes at character 7"],
  ["p eq pro", "import-malformed: the query: a value is missing; strings need double quotes at character 9"],
  ['"p" eq "a"', "import-malformed: the query: an attribute is missing at character 4"],
  ['(p eq "a"', "import-malformed: the query: unexpected end at character 10"],
  ['(p eq "a" q', "import-malformed: the query: ) is missing at character 12"],
  ["p is 5", "import-malformed: the query: is is not an operator at character 5"],
  ["p in [true]", "import-malformed: the query: a string or a number is missing at character 11"],
  ['p in ["a"', "import-malformed: the query: unexpected end at character 10"],
  ['p eq "a" AND q pr', "import-malformed: the query: AND is not understood: write and"],
  ['p eq "a" Or q pr', "import-malformed: the query: Or is not understood: write or"],
  ['p eq "a" xor q pr', "import-malformed: the query: xor is not understood"],
  [
    `${"(".repeat(200)}p pr${")".repeat(200)}`,
    "import-malformed: the query: too many brackets at character 201",
  ],
  [
    "p eq 9007199254740993",
    "import-malformed: the query: a whole number beyond 9007199254740991 at character 22",
  ],
  ['a.b eq "c"', "import-attribute-path: the path a.b"],
  ['{ "==": [{ "var": "a.b" }, "c"] }', "import-attribute-path: the path a.b"],
  ['p gt "a"', "import-logic: p gt with this operand"],
])("of the query %s it is said: %s", async (query, said) => {
  const found = await importing({ targeting: [{ query, variation: "on" }] })
  if (query === "")
    expect(lossesIn(found)).toEqual([]) // for everyone
  else expect(lossesIn(found)).toContain(said)
})

test("only words of the query are in code marks", async () => {
  const { results } = await importing({ targeting: [{ query: 'p eq "a" OR q pr', variation: "on" }] })
  const messages = results.flatMap(({ losses }) => losses.map(({ message }) => message))
  expect(messages).toEqual(["the query: `OR` is not understood: write `or`"])
})

test("brackets may be nested 199 times", async () => {
  expect(await codesOf(`${"(".repeat(199)}p pr${")".repeat(199)}`)).toEqual([])
})

const percentage = (on: number, off: number) => ({ percentage: { on, off } })
test.each([
  [{ scheduledRollout: [{ disable: true }] }, [], []], // without a date it never begins
  [{ experimentation: {} }, ["import-schedule: the times of an experiment"], []],
  [{ rollout: {} }, ["import-schedule: scheduled steps"], []],
  [{ defaultRule: { progressiveRollout: {} } }, ["import-schedule: a progressive rollout"], []],
  [{ defaultRule: { variation: "gone" } }, ["import-malformed: the flag has no variation gone"], []],
  [{ defaultRule: {} }, ["import-malformed: a rule without a variation"], []],
  [{ disable: true }, ["import-caller-default: when disabled, it returns the caller's default"], []],
  [{ defaultRule: percentage(30, 70) }, ["import-share-rebucketed: shares by targetingKey"], []],
  [{ defaultRule: percentage(30, 69) }, ["import-share-rebucketed: shares by targetingKey"], [": 99 %"]],
  [{ defaultRule: percentage(30, 69.95) }, ["import-share-rebucketed: shares by targetingKey"], []],
  [{ defaultRule: percentage(30, 69.8) }, ["import-share-rebucketed: shares by targetingKey"], [": 99.8 %"]],
  [
    { bucketingKey: "a.b", defaultRule: percentage(30, 70) },
    ["import-attribute-path: the path a.b", "import-share-rebucketed: shares by a.b"],
    [],
  ],
])("of the flag %j it is said: %j", async (flag, losses, sums) => {
  const found = await importing(flag)
  expect(lossesIn(found)).toEqual(losses)
  const remarks = found.remarks.map(({ message }) => message).filter((one) => one.includes("add up"))
  expect(remarks).toEqual(sums.map((sum) => `percentages that do not add up to 100 are scaled to 100${sum}`))
})

test("shares are in the alphabetical order of their names", async () => {
  const { sources } = await importing({ defaultRule: percentage(30, 70) })
  expect(sources[0]?.text.match(/\{ share: .*/g)).toEqual([
    "{ share: 70, returnValue: false }",
    "{ share: 30, returnValue: true }",
  ])
})

describe("scheduled steps", () => {
  const moments = ["2026-12-01T09:00:00Z", "2026-12-02T09:00:00Z", "2026-12-03T10:00:00+01:00"]
  const steps = (...changes: readonly object[]) =>
    changes.map((change, index) => ({ date: moments[index], ...change }))
  const defaults = (on: number, off: number) => ({ defaultRule: percentage(on, off) })
  const staff = { name: "staff", query: "s pr" }
  const rampTo = (...shares: readonly number[]) => ({
    by: "targetingKey",
    stages: shares.map((share, index) => ({ at: moments[index], share })),
  })

  test.each<readonly [string, object, readonly object[]]>([
    [
      "that raise the default rule's percentage",
      { scheduledRollout: steps(defaults(5, 95), defaults(25, 75), defaults(100, 0)) },
      [{ ramp: rampTo(5, 25, 100), returnValue: true }],
    ],
    [
      "that are not in order, and begin with a share",
      { ...defaults(0, 100), scheduledRollout: steps(defaults(5, 95), defaults(50, 50)).reverse() },
      [{ ramp: rampTo(5, 50), returnValue: true }],
    ],
    [
      "after a first share, of whichever variation grows",
      { ...defaults(90, 10), scheduledRollout: steps(defaults(50, 50), defaults(25, 75)) },
      [
        { share: { by: "targetingKey", to: 10 }, returnValue: false },
        { ramp: rampTo(50, 75), returnValue: false },
        { operator: "always", returnValue: true },
      ],
    ],
    [
      "of a rule with a name, once",
      {
        targeting: [{ ...staff, variation: "off" }],
        scheduledRollout: steps({ targeting: [{ name: "staff", ...percentage(20, 80) }] }),
      },
      [
        {
          all: [
            { attribute: "s", operator: "exists" },
            { attribute: "now", operator: "afterOrEquals", value: moments[0] },
            { share: { by: "targetingKey", to: 20 } },
          ],
          returnValue: true,
        },
      ],
    ],
    [
      "of which one names a rule twice, and has a version",
      {
        targeting: [{ ...staff, variation: "off" }],
        scheduledRollout: steps({
          version: "2",
          targeting: [
            { name: "staff", ...percentage(20, 80) },
            { name: "staff", ...percentage(30, 70) },
          ],
        }),
      },
      [
        {
          all: [
            { attribute: "s", operator: "exists" },
            { attribute: "now", operator: "afterOrEquals", value: moments[0] },
            { share: { by: "targetingKey", to: 30 } },
          ],
          returnValue: true,
        },
      ],
    ],
    [
      "of which one changes a single percentage, and one nothing",
      {
        ...defaults(10, 90),
        scheduledRollout: steps({ defaultRule: { percentage: { on: 90 } } }, defaults(50, 50)),
      },
      [
        { share: { by: "targetingKey", to: 10 }, returnValue: true },
        {
          all: [
            { attribute: "now", operator: "afterOrEquals", value: moments[0] },
            { share: { by: "targetingKey", to: 50 } },
          ],
          returnValue: true,
        },
      ],
    ],
  ])("%s become a ramp, and nothing differs at any moment", async (_, flag, rules) => {
    const found = await importing(flag, ["import-clock"])
    expect(lossesIn(found)).toContain(
      "import-clock: scheduled steps, which begin when the attribute now says so",
    )
    expect(found.results.map(({ open }) => open)).toEqual(["rebucketed"])
    expect(found.tally).toMatchObject({ differing: 0, withShares: 1, sharesCompared: 1 })
    expect(parse(found.sources[0]?.text ?? "").environments.production.rules).toEqual(rules)
  })

  test.each<readonly [string, object]>([
    [
      "lower a percentage",
      { ...defaults(50, 50), scheduledRollout: steps(defaults(60, 40), defaults(20, 80)) },
    ],
    [
      "bring a third variation",
      {
        variations: { on: true, off: false, x: true },
        scheduledRollout: steps({ defaultRule: { percentage: { on: 10, off: 80, x: 10 } } }),
      },
    ],
    ["change a variation", { scheduledRollout: steps({ defaultRule: { variation: "on" } }) }],
    ["change variations", { scheduledRollout: steps({ variations: { on: false } }) }],
    ["disable the flag", { scheduledRollout: steps({ disable: true }) }],
    ["add a rule", { scheduledRollout: steps({ targeting: [{ name: "staff", ...percentage(20, 80) }] }) }],
    [
      "name two rules",
      {
        targeting: [staff, staff],
        scheduledRollout: steps({ targeting: [{ name: "staff", ...percentage(20, 80) }] }),
      },
    ],
    ["have no zone", { scheduledRollout: [{ date: "2026-12-01T09:00:00", ...defaults(5, 95) }] }],
    ["have no time", { scheduledRollout: [{ date: "2026-12-01", ...defaults(5, 95) }] }],
  ])("that %s cannot be expressed", async (_, flag) => {
    expect(lossesIn(await importing(flag))).toContain("import-schedule: scheduled steps")
  })
})

test("a file with a flag of before version 1 is refused, and the error says which format is read", async () => {
  const file = {
    a: { variations: { on: true }, defaultRule: { variation: "on" } },
    b: { true: 1, false: 2, default: 3 },
  }
  const text = JSON.stringify(file, undefined, 1)
  await expect(importTexts(goff, [{ path: "a.json", text, environment: undefined }])).rejects.toThrow(
    "a.json:10: the flag b is in the format of before version 1 of GO Feature Flag, which is not read: write it with `variations` and `defaultRule`",
  )
})

async function codesOf(query: string) {
  const { results } = await importing({ targeting: [{ query, variation: "on" }] })
  return results.flatMap(({ losses }) => losses.map(({ code }) => code))
}

test("without its bucketing key, a flag is not evaluated, even without shares", async () => {
  const found = await importing({ bucketingKey: "company", targeting: [{ query: "s pr", variation: "on" }] })
  expect(found.results.flatMap(({ losses }) => losses.map(({ code }) => code))).toContain(
    "import-context-missing",
  )
})

test("a flag of GO Feature Flag's without variations is malformed", async () => {
  const file = { a: { defaultRule: { percentage: { True: 10, False: 90 } } } }
  const { results } = await importTexts(goff, [
    { path: "a.json", text: JSON.stringify(file), environment: undefined },
  ])
  expect(results.map(({ flag, losses }) => [flag, ...losses.map(({ code }) => code)])).toEqual([
    ["a", "import-malformed", "import-malformed"],
  ])
})
