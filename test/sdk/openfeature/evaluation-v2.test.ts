// @module-tag system
import { spawnSync } from "node:child_process"
import { OFREPProvider } from "@openfeature/ofrep-provider"
import { OpenFeature, ProviderEvents } from "@openfeature/server-sdk"
import { afterAll, beforeAll, describe, expect, type TestOptions, test } from "vitest"
import { FlagstoneProvider } from "../../../sdk/openfeature/provider.ts"
import { readPage } from "../../docs/pages.ts"
import { createMapSource, mintKey } from "../../proxy/fixtures.ts"
import { createTestProxy } from "./evaluating-proxy.ts"
import { type Client, createApplication, type ProviderState } from "./gherkin/application.ts"
import { buildTestFlags } from "./gherkin/build-test-flags.ts"
import { type Difference, differences } from "./gherkin/differences.ts"
import { startGoClient } from "./gherkin/go-client.ts"
import { createNodeClient } from "./gherkin/node-client.ts"
import { readScenarios, type Scenario, type ScenarioStep } from "./gherkin/read-scenarios.ts"
import { runStep } from "./gherkin/steps.ts"
import { answer, never } from "./test-world.ts"

// OpenFeature's own suite, unchanged, with flags that `flagstone build` compiled and a proxy on a real socket. A scenario
// with a step on which Flagstone differs says so in its name, and still runs: see gherkin/differences.ts.

const { proxy, secret } = await createTestProxy({ snapshots: [createMapSource(await buildTestFlags())] })
const nowhere = "http://127.0.0.1:2" // a port that `fetch` does not block
const hasGo = spawnSync("go", ["version"]).error === undefined
if (!hasGo) console.warn("SKIPPED: OpenFeature's suite with the provider for Go, because go is not installed")

async function startFlagstone(domain: string, state: ProviderState): Promise<void> {
  const good = { url: proxy.url, apiKey: secret }
  switch (state) {
    case "stable":
      return OpenFeature.setProviderAndWait(domain, new FlagstoneProvider(good))
    case "not ready": {
      const fetch: typeof globalThis.fetch = (_, init) => never("", init ?? {})
      return void OpenFeature.setProvider(domain, new FlagstoneProvider({ ...good, fetch }))
    }
    case "error":
      return startInVain(domain, new FlagstoneProvider({ ...good, url: nowhere }))
    case "fatal":
      return startInVain(domain, new FlagstoneProvider({ ...good, apiKey: mintKey().secret }))
    case "stale": {
      let asked = 0
      const refuse = answer(401)
      const fetch: typeof globalThis.fetch = (url, init) =>
        asked++ === 0 ? globalThis.fetch(url, init) : refuse("", {})
      await OpenFeature.setProviderAndWait(
        domain,
        new FlagstoneProvider({ ...good, fetch, pollInterval: 100 }),
      )
      const client = OpenFeature.getClient(domain)
      return new Promise((resolve) => client.addHandler(ProviderEvents.Stale, () => resolve()))
    }
  }
}

const startInVain = (domain: string, provider: FlagstoneProvider) =>
  expect(OpenFeature.setProviderAndWait(domain, provider)).rejects.toThrow(/ECONNREFUSED|returned 401/)

async function startOfrep(domain: string, state: ProviderState): Promise<void> {
  const apiKey = state === "fatal" ? mintKey().secret : secret
  const baseUrl = state === "stable" || state === "fatal" ? proxy.url : nowhere
  const headers: [string, string][] = [["Authorization", `Bearer ${apiKey}`]]
  await OpenFeature.setProviderAndWait(domain, new OFREPProvider({ baseUrl, headers }))
}

const startGo = () =>
  startGoClient((state) => ({
    url: state === "error" ? nowhere : proxy.url,
    apiKey: state === "fatal" ? mintKey().secret : secret,
  }))

const providers: Readonly<Record<string, { open(): Client; readonly options: TestOptions }>> = {
  FlagstoneProvider: { open: () => createNodeClient("FlagstoneProvider", startFlagstone), options: {} },
  OFREPProvider: { open: () => createNodeClient("OFREPProvider", startOfrep), options: {} },
  Go: { open: startGo, options: { skip: !hasGo, tags: ["slow"] } },
}
const scenarios = readScenarios("evaluation_v2.feature")

function differenceOf(provider: string, { name }: Scenario, { text }: ScenarioStep): Difference | undefined {
  return differences.find(
    (difference) =>
      (difference.provider ?? provider) === provider &&
      difference.scenario.test(name) &&
      difference.step.test(text),
  )
}

function titleOf(provider: string, scenario: Scenario): string {
  const differs = scenario.steps.flatMap((step) => {
    const difference = differenceOf(provider, scenario, step)
    return difference === undefined ? [] : [`instead of ‘${step.text}’: ${difference.sentence}`]
  })
  return [`${scenario.name}, line ${scenario.line}`, ...differs].join("; ")
}

for (const [provider, { open, options }] of Object.entries(providers))
  describe(`evaluation_v2.feature with ${provider}`, options, () => {
    let client: Client
    beforeAll(() => {
      client = open()
    }, 120_000)
    afterAll(() => client.close())

    test.each(scenarios.map((scenario) => [titleOf(provider, scenario), scenario] as const))(
      "%s",
      async (_, scenario) => {
        const app = createApplication(client)
        for (const step of scenario.steps) {
          const difference = differenceOf(provider, scenario, step)
          if (difference === undefined) {
            await runStep(app, step)
            continue
          }
          await expect(runStep(app, step), "it is so now").rejects.toHaveProperty("name", "AssertionError")
          await difference.instead(app)
        }
      },
    )
  })

test("all scenarios are there", () => {
  expect(scenarios).toHaveLength(82)
})

test.each(differences)("the README says: $sentence", (difference) => {
  expect(readPage("test/sdk/openfeature/gherkin/README.md").text).toContain(`| ${difference.sentence} `)
  const isUsed = Object.keys(providers).some((provider) =>
    scenarios.some((scenario) =>
      scenario.steps.some((step) => differenceOf(provider, scenario, step) === difference),
    ),
  )
  expect(isUsed).toBe(true)
})
