import { expect, test } from "vitest"
import { goff } from "../../../cli/import/goff.ts"
import { importTexts } from "./import-text.ts"

function importing(flag: object) {
  const flags = { a: { variations: { on: true, off: false }, defaultRule: { variation: "off" }, ...flag } }
  return importTexts(goff, [{ path: "a.json", text: JSON.stringify(flags), environment: undefined }])
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
])("%s of %j is %s on both sides", async (query, attributes, expected) => {
  const found = await importing({ targeting: [{ query, variation: "on" }] })
  expect(found.results.map(({ verdict }) => verdict)).not.toContain("cannot")
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
])("%s is reported as import-logic", async (query) => {
  expect(await codesOf(query)).toEqual(["import-logic"])
})

test.each(["s eq 1e3", "s in [1e3, 2]", "s eq 01", "s gt 9007199254740992", "s ne -9223372036854775809"])(
  "%s, which GO Feature Flag misreads, is reported as import-malformed",
  async (query) => {
    expect(await codesOf(query)).toEqual(["import-malformed"])
  },
)

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
  const file = {
    a: { defaultRule: { percentage: { True: 10, False: 90 } } },
    b: { true: 1, false: 2, default: 3 },
  }
  const { results } = await importTexts(goff, [
    { path: "a.json", text: JSON.stringify(file), environment: undefined },
  ])
  expect(results.map(({ flag, losses }) => [flag, ...losses.map(({ code }) => code)])).toEqual([
    ["a", "import-malformed", "import-malformed"],
    ["b"],
  ])
})
