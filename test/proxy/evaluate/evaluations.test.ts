import { hash } from "node:crypto"
import { describe, expect, test } from "vitest"
import { buildFiles, createMapGeneration } from "../fixtures.ts"
import { createEvaluateApp, evaluatedFlags, path } from "../ofrep/evaluated-flags.ts"

/** What answers say of the document, whose tag is the same `version`. */
const sha256 = hash("sha256", buildFiles({ production: evaluatedFlags }).get("production.json") ?? "", "hex")
const flagSet = { flagSetId: "shop/production", version: sha256.slice(0, 32) }

describe("a value", () => {
  test.each([
    ["everyone", {}, true, "STATIC", "by-always"],
    ["team/checkout", { email: "ann@example.com" }, true, "TARGETING_MATCH", "by-endsWith"],
    ["team/checkout", { email: "ann@example.org" }, false, "DEFAULT", "default"],
    ["share", { targetingKey: "ann" }, true, "SPLIT", "by-percentage"],
    ["disabled", {}, false, "DEFAULT", "default"],
    ["unconfigured", {}, "blue", "DEFAULT", "default"],
    ["layout", { plan: "pro" }, { columns: 3, ratio: 1 }, "TARGETING_MATCH", "by-equals"],
  ])("of %s in %j is %j, because of %s by %s", async (key, context, value, reason, variant) => {
    const app = await createEvaluateApp()
    const { status, headers, text } = await app.evaluate(key, context)
    const said = { key, value, reason, variant }
    const expected = JSON.stringify({ ...said, metadata: flagSet })
    expect({ status, text }).toEqual({ status: 200, text: expected })
    expect(Object.fromEntries(headers)).toEqual({
      "cache-control": "no-store",
      "content-length": String(Buffer.byteLength(expected)),
      "content-type": "application/json",
      "x-ratelimit-limit": "200",
      "x-ratelimit-remaining": "199",
    })
    const { body } = await app.evaluate(undefined, context)
    expect(body.flags.find((item: { key: string }) => item.key === key)).toEqual(said)
  })

  test("of all flags comes in their order, and a flag that cannot be evaluated does not hide the others", async () => {
    const { status, body } = await (await createEvaluateApp()).evaluate(undefined, { plan: "pro" })
    expect(status).toBe(200)
    expect(Object.keys(body)).toEqual(["flags"])
    expect(body.flags.map(({ key }: { key: string }) => key)).toEqual(
      evaluatedFlags.map(({ flag }) => flag.key),
    )
    expect(body.flags.at(-1)).toEqual({
      key: "unknown-operator",
      errorCode: "GENERAL",
      errorDetails: "Rule by-ourOwn decides by the operator ourOwn, which only the project's own code knows",
    })
  })

  test("of no flags is an empty list", async () => {
    expect((await (await createEvaluateApp([])).evaluate(undefined)).text).toBe('{"flags":[]}')
  })

  test("of a number flag always has one form, whichever value it is", async () => {
    const app = await createEvaluateApp()
    const said = async (key: string, plan: string) => (await app.evaluate(key, { plan })).text
    expect(await said("count", "free")).toMatch('"value":1,')
    expect(await said("count", "pro")).toMatch('"value":10,')
    expect(await said("ratio", "free")).toMatch('"value":1.0,')
    expect(await said("ratio", "pro")).toMatch('"value":1.5,')
    expect((await app.evaluate(undefined)).text).toMatch('{"key":"ratio","value":1.0,')
    expect(await said("layout", "free")).toMatch('"ratio":1}') // numbers inside JSON stay as they are
  })

  test("comes from the generation that was current when the request came", async () => {
    const app = await createEvaluateApp()
    const { generation } = app
    const response = app.ask(`${path}/static`, { method: "POST" })
    app.generation = await createMapGeneration(buildFiles({ production: [] }))
    expect((await response).status).toBe(200)
    expect(generation).not.toBe(app.generation)
  })
})
