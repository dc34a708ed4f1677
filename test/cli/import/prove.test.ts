import { expect, test } from "vitest"
import { goff } from "../../../cli/import/goff.ts"
import { importTexts, replaceAttributes } from "./import-text.ts"

/** The values of `plan` that the proof of a flag with this query tries. */
async function triedFor(query: string): Promise<ReadonlySet<unknown>> {
  const text = `a:
  variations: { "on": true, "off": false }
  targeting: [{ query: '${query}', variation: "on" }]
  defaultRule: { variation: "off" }`
  const tried = new Set<unknown>()
  const watched = replaceAttributes(goff, (value, name) => {
    if (name === "plan") tried.add(value)
    return value
  })
  await importTexts(watched, [{ path: "a.yaml", text, environment: "production" }])
  return tried
}

test("a proof tries values next to the operands of lists that ignore case", async () => {
  const tried = await triedFor('plan in ["pro", "team"]')
  expect(["pro", "PRO", "prox", "TEAM", "xteam"].filter((one) => !tried.has(one))).toEqual([])
  expect([...tried].filter((one) => String(one).startsWith('["'))).toEqual([])
})

test.each([1, 2, 3])(
  "a proof tries values next to those of a long list, with %i attributes",
  async (count) => {
    const plans = Array.from({ length: 400 }, (_, at) => `"Plan ${"x".repeat(at)}"`)
    const others = Array.from({ length: count - 1 }, (_, at) => ` and a${at} eq "x"`)
    const tried = await triedFor(`plan in [${plans.join(", ")}]${others.join("")}`)
    const near = [/^Plan x*$/, /^PLAN X+$/, /^plan x+$/, /^xPlan x+$/]
    expect(near.filter((one) => [...tried].filter((value) => one.test(String(value))).length < 5)).toEqual([])
  },
)
