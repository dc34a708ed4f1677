// @module-tag system
import { expect, test } from "vitest"
import { buildFiles, createKeySource, createMapSource, mintKey, named } from "../proxy/fixtures.ts"
import { flagOf } from "../proxy/ofrep/evaluated-flags.ts"
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

test("the program of docs/teams.md reads two projects", async () => {
  const [shop, payments] = ["shop", "payments"].map((project) => mintKey({ id: project, project }))
  const refunds = buildFiles({ production: [flagOf("instant-refund", "boolean", true)] })
  const { proxy } = await startTestProxy({
    snapshots: [
      createMapSource(buildFiles({ production: [deliverySlots] })),
      createMapSource(named("payments", refunds)),
    ],
    keys: createKeySource([shop, payments].flatMap((key) => key?.record ?? [])),
  })
  const program = readProgram("js", "two-projects", proxy.url, "docs/teams.md")
  const env = { SHOP_KEY: shop?.secret, PAYMENTS_KEY: payments?.secret }
  expect(await runOnNode(program, env)).toBe("true\ntrue\n")
})
