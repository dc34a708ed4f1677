import { expect, test } from "vitest"
import { isSameAcrossKeys } from "../../../../cli/catalog/history/same-across-keys.ts"

const share = (value: string) => ({ attribute: "userId", operator: "percentage", value })
const group = (operator: string, ...parts: readonly object[]) => ({
  attribute: "",
  operator,
  value: JSON.stringify(parts),
})

test.each([
  ["no percentages", true, [{ attribute: "userId", operator: "in", value: '["a"]' }]],
  ["whole percentages", true, [share("20"), share("21"), share("100")]],
  ["in groups", true, [group("any", share("20"), group("none", share("30")))]],
  ["other attributes", true, [share("20"), { attribute: "plan", operator: "equals", value: "p" }]],
  ["a narrow share", false, [share("20"), share("20.001")]],
  ["a text that may be in the share", false, [share("20"), { ...share("a"), operator: "equals" }]],
  ["the same in a group", false, [group("all", share("20"), { ...share("a"), operator: "startsWith" })]],
  ["a group that cannot be read", false, [share("20"), { ...group("any"), attribute: "userId" }]],
  ["a long list", false, Array.from({ length: 51 }, (_, at) => share(`${at}`))],
])("%s: what is said of one flag is true of others: %s", (_, isSaid, conditions) => {
  expect(isSameAcrossKeys(conditions)).toBe(isSaid)
})
