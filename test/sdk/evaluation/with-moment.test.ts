import { expect, test } from "vitest"
import { withMoment } from "../../../sdk/evaluation/with-moment.ts"
import { wallClock } from "../../proxy/fixtures.ts"

const moment = new Date(wallClock)

test.each([
  ["lacks it", {}, { now: moment }],
  ["has null", { now: null, plan: "pro" }, { now: moment, plan: "pro" }],
  ["brings one", { now: "2020-01-01T00:00:00Z" }, { now: "2020-01-01T00:00:00Z" }],
  ["brings an empty text", { now: "" }, { now: "" }],
])("a context that %s", (_, context, expected) => {
  expect(withMoment(context, "now", wallClock)).toEqual(expected)
})

test("inherited names are attributes like all others, and nothing else is added", () => {
  expect(Object.hasOwn(withMoment({}, "__proto__", wallClock), "__proto__")).toBe(true)
  expect(withMoment({}, "constructor", wallClock)).toEqual({ constructor: moment })
  const context = {}
  expect(withMoment(context, undefined, wallClock)).toBe(context)
  expect(withMoment(Object.freeze({}), "now", wallClock)).toEqual({ now: moment })
})
