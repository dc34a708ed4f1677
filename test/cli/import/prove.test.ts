import { expect, test } from "vitest"
import { goff } from "../../../cli/import/goff.ts"
import { importTexts, replaceAttributes } from "./import-text.ts"

test("a proof tries values next to the operands of lists that ignore case", async () => {
  const text = `a:
  variations: { "on": true, "off": false }
  targeting: [{ query: 'plan in ["pro", "team"]', variation: "on" }]
  defaultRule: { variation: "off" }`
  const tried = new Set<unknown>()
  const watched = replaceAttributes(goff, (value, name) => {
    if (name === "plan") tried.add(value)
    return value
  })
  await importTexts(watched, [{ path: "a.yaml", text, environment: "production" }])
  expect(["pro", "PRO", "prox", "TEAM", "xteam"].filter((one) => !tried.has(one))).toEqual([])
  expect([...tried].filter((one) => String(one).startsWith('["'))).toEqual([])
})
