import { expect, test } from "vitest"
import { contextsFor, operandsOf } from "../../../cli/import/contexts.ts"
import { twinsOf } from "../../../cli/import/neighbours.ts"

test.each([true, false])("a proof repeats at most one context in ten: texts only is %s", (isTextual) => {
  const contexts = contextsFor({
    required: { key: "user-1" },
    witnesses: [{}, { plan: "pro" }, { plan: "pro", seats: "101" }],
    attributes: new Map([
      ["key", []],
      ["plan", ["pro"]],
      ["seats", ["100"]],
    ]),
    operands: ["pro", 100],
    ...{ isTextual, most: 200 },
  }).map(({ context }) => JSON.stringify(Object.entries(context).sort()))
  expect(contexts.length).toBeGreaterThan(30)
  expect(contexts.filter((one, at) => contexts.indexOf(one) < at).length / contexts.length).toBeLessThan(0.1)
})

test("a proof tries every operand of the source, though our rules may have lost it", () => {
  const operands = Array.from({ length: 20 }, (_, at) => `plan-${at}`)
  const attributes = new Map([["plan", ["plan-1"]]])
  const sources = { required: {}, witnesses: [{}], attributes, operands, isTextual: true, most: 200 }
  const tried = new Set(contextsFor(sources).map(({ context }) => context.plan))
  expect(operands.filter((one) => !tried.has(one))).toEqual([])
})

test("a proof tries all operands as one list, though our rules may have lost some", () => {
  const attributes = new Map([["groups", ["beta"]]])
  const sources = { required: {}, witnesses: [{}], attributes, isTextual: false, most: 24 }
  const tried = contextsFor({ ...sources, operands: ["beta", "staff"] })
  expect(tried.map(({ context }) => context.groups)).toContainEqual(["beta", "staff"])
})

test("a proof tries a list whose item contains an operand without equalling it", () => {
  const attributes = new Map([["email", ["@shop"]]])
  const sources = { required: {}, witnesses: [{}], attributes, operands: [], isTextual: false, most: 200 }
  expect(contextsFor(sources).map(({ context }) => context.email)).toContainEqual(["x@shop"])
})

test("a proof tries values of every type for an attribute that no rule compares", () => {
  const attributes = new Map([["groups", []]])
  const sources = { required: {}, witnesses: [{}], attributes, operands: [], isTextual: false, most: 200 }
  const tried = new Set(contextsFor(sources).map(({ context }) => JSON.stringify(context.groups)))
  const lists = ["[]", '["text"]', '["xtext"]', '["text","zz"]']
  expect([...tried]).toEqual([undefined, '""', '"text"', "1", "0", "true", ...lists, '{"id":"text"}'])
})

test("the operand of a regular expression is a string that it is likely to match", () => {
  const operands = (value: string) => operandsOf({ attribute: "name", operator: "matches", value })
  expect(operands("(?i)^[äÄ]\\.\\[b\\]$")).toEqual(["ä.[b]"])
})

test("only a version has a twin that is written as a version", () => {
  expect(twinsOf("1x")).toEqual([])
  expect(["v10.0.0-10", "3.9", "3.9.1.0.1"].map(twinsOf)).toEqual([["10.0.0"], [3.9, "3.9.0"], ["3.9.1"]])
})
