import { execFile } from "node:child_process"
import { rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { promisify } from "node:util"
import { afterAll, beforeAll, expect, test } from "vitest"
import { deliverySlots, readProgram } from "../docs/openfeature-programs.ts"
import { buildFiles, createMapSource } from "../proxy/fixtures.ts"
import { startTestProxy } from "../proxy/start-proxy.ts"
import { type Installed, installPacked } from "../sdk/packed.ts"

// What OpenTelemetry's exporter in memory gets of the programs in docs/openfeature.md and docs/experiments.md.

let application: Installed
beforeAll(() => {
  application = installPacked(
    "@openfeature/core@1.12.0",
    "@openfeature/open-telemetry-hooks@1.0.0",
    "@openfeature/server-sdk@1.23.0",
    "@opentelemetry/api@1.9.1",
    "@opentelemetry/api-logs@0.205.0",
    "@opentelemetry/sdk-trace-node@2.1.0",
  )
})
afterAll(() => rmSync(application.folder, { recursive: true }))

const { proxy, secret, get } = await startTestProxy({
  snapshots: [createMapSource(buildFiles({ production: [deliverySlots] }))],
})

/** What OpenTelemetry needs, and an evaluation in a span. */
const [setup, evaluation] = [
  `import { trace } from "@opentelemetry/api"
import { InMemorySpanExporter, NodeTracerProvider, SimpleSpanProcessor } from "@opentelemetry/sdk-trace-node"
import { FlagstoneProvider } from "flagstone-sdk/openfeature"

const exporter = new InMemorySpanExporter()
new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] }).register()
`,
  `const apiKey = process.env.FLAGSTONE_API_KEY
await OpenFeature.setProviderAndWait(new FlagstoneProvider({ url: "${proxy.url}", apiKey }))
const context = { targetingKey: "ann", appVersion: "4.13.0", postcode: "10115" }
await trace.getTracer("shop").startActiveSpan("checkout", async (span) => {
  await OpenFeature.getClient().getBooleanValue("delivery-slots", false, context)
  span.end()
})
console.log(JSON.stringify(exporter.getFinishedSpans()[0].events[0].attributes))
await OpenFeature.close()
`,
]

/** Adds the hook of docs/openfeature.md, evaluates, as a test changes it, and reads what the span says. */
async function record(change: (program: string) => string = (program) => program): Promise<unknown> {
  const program = setup + readProgram("js", "telemetry", proxy.url) + evaluation
  writeFileSync(join(application.folder, "program.js"), change(program))
  const env = { ...process.env, FLAGSTONE_API_KEY: secret }
  const { stdout } = await promisify(execFile)(process.execPath, ["program.js"], {
    cwd: application.folder,
    env,
  })
  return JSON.parse(stdout)
}

/** What both have of the flag and its document. */
const flag = {
  "feature_flag.key": "delivery-slots",
  "feature_flag.result.variant": "by-startsWith",
  "feature_flag.set.id": "shop/production",
  "feature_flag.version": (await get("/v1/flags")).headers.get("etag")?.slice(1, 33),
}

test("the span of a request has each evaluation, by OpenFeature's hook", async () => {
  expect(await record()).toEqual({
    ...flag,
    "feature_flag.provider.name": "Flagstone",
    "feature_flag.result.reason": "targeting_match",
    "feature_flag.result.value": true,
  })
})

test("and an exposure, where a program records it", async () => {
  const source = readProgram("ts", "record-exposure.ts", "", "docs/experiments.md")
  writeFileSync(join(application.folder, "record-exposure.ts"), source)
  const said = await record((program) =>
    `import { recordExposure } from "./record-exposure.ts"\n${program}`
      .replace(/^OpenFeature.addHooks.*/m, "")
      .replace(/await (.*)getBooleanValue(.*)/, 'recordExposure(await $1getBooleanDetails$2, "c-1")'),
  )
  expect(said).toEqual({ ...flag, customerId: "c-1" })
})
