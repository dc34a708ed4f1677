// @module-tag system
import { expect, test } from "vitest"
import { buildFiles, createMapSource } from "../proxy/fixtures.ts"
import { startTestProxy } from "../proxy/start-proxy.ts"
import { deliverySlots, readProgram } from "./openfeature-programs.ts"
import { runOnNode } from "./run-program.ts"

// Browsers' program is run by test/sdk/openfeature/browser.test.ts, those of other languages by `npm run test:clients`,
// which also runs them all against a proxy as it is deployed.

test("the program for Node of docs/openfeature.md prints what it says", async () => {
  const { proxy, secret } = await startTestProxy({
    snapshots: [createMapSource(buildFiles({ production: [deliverySlots] }))],
  })
  const program = readProgram("js", "node", proxy.url)
  expect(await runOnNode(program, { FLAGSTONE_API_KEY: secret })).toBe("true\n")
})
