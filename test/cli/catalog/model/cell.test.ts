import { expect, test } from "vitest"
import { cellOf } from "../../../../cli/catalog/model/cell.ts"
import { plainPhrase } from "../../../../cli/phrases/phrase.ts"
import type { Configuration, Flag, Json, Rule } from "../../../../proxy/contract/snapshot.ts"

const rule = (operator: string, returnValue: Json, value = "", attribute = ""): Rule => ({
  id: "r",
  attribute,
  operator,
  value,
  returnValue,
})
const on = (...rules: readonly Rule[]): Configuration => ({
  id: "c",
  flagId: "f",
  environmentId: "e",
  enabled: true,
  rules,
  updatedAt: "",
})
const named = {
  id: "p/a",
  projectId: "p",
  key: "a",
  name: "a",
  description: "",
  createdAt: "",
  updatedAt: "",
}
const always = (value: Json) => rule("always", value)

test.each<[string, string, Flag["type"], Json, Configuration | null]>([
  ["none", "not configured", "boolean", false, null],
  ["off", "off", "boolean", false, { ...on(always(true)), enabled: false }],
  ["off", "off for all", "boolean", false, on()],
  ["on", "on for all", "boolean", true, on()],
  ["on", "on for all", "boolean", false, on(always(true), rule("percentage", false, "5", "id"))],
  ["off", "off for all", "boolean", true, on(always(false))],
  ["value", '`"dark"` for all', "string", "light", on(always("dark"))],
  ["value", "`null` for all", "json", null, on()],
  ["value", `\`["${"x".repeat(26)}…\` for all`, "json", null, on(always(["x".repeat(60)]))],
  ["share", "20 % by `customerId`", "boolean", false, on(rule("percentage", true, "20", "customerId"))],
  ["share", "20 % by `id`: `7`", "number", 5, on(rule("percentage", 7, "20", "id"))],
  ["share", "20 % by `id`: `false`", "boolean", true, on(rule("percentage", false, "20", "id"))],
  ["rules", "1 rule", "boolean", false, on(rule("equals", true, "pro", "plan"))],
  ["rules", "2 rules", "boolean", false, on(rule("equals", true, "pro", "plan"), always(true))],
])("%s: %s", (state, words, type, defaultValue, environment) => {
  const flag = { ...named, type, defaultValue }
  const cell = cellOf("live", { flag, environment }, [], () => ({ isReached: true, hits: 0, witness: "" }))
  expect([cell.state, plainPhrase(cell.words)]).toEqual([state, words])
})

test("a rule has its words, its line, and what reaches it", () => {
  const reached = { isReached: true, hits: 2, witness: '{"plan":"pro"}' }
  const flag = { ...named, type: "boolean" as const, defaultValue: false }
  const environment = on(rule("equals", true, "pro", "plan"))
  const { rules, otherwise } = cellOf("live", { flag, environment }, [7], (by) =>
    by === 0 ? reached : { ...reached, isReached: false },
  )
  expect(rules.map(({ words, ...own }) => ({ words: plainPhrase(words), ...own }))).toEqual([
    { words: "`true` for users with `plan` `pro`", line: 7, ...reached },
  ])
  expect(otherwise.isReached).toBe(false)
})
