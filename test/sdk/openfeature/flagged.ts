import { type Client, OpenFeature, ProviderEvents, type ProviderStatus } from "@openfeature/server-sdk"
import type { FlagEntry } from "../../../sdk/contract/snapshot.ts"
import type { ContextOptions, RemoteOptions } from "../../../sdk/openfeature/options.ts"
import { FlagstoneProvider } from "../../../sdk/openfeature/provider.ts"
import { inTime } from "../../in-time.ts"
import { buildFiles, createMapGeneration } from "../../proxy/fixtures.ts"
import { evaluatedFlags } from "../../proxy/ofrep/evaluated-flags.ts"
import { createTestApp, type TestAppOptions } from "../../proxy/test-app.ts"
import { createTestWorld, type TestWorld } from "./test-world.ts"

/** An application that reads flags through OpenFeature's SDK from a proxy in memory. */
export interface Flagged {
  readonly world: TestWorld
  readonly provider: FlagstoneProvider
  readonly client: Client
  /** What the SDK told the application, such as `READY` or `CONFIGURATION_CHANGED a,b`. */
  readonly events: string[]
  /** Asks the proxy, as the world does unless a test says otherwise. */
  readonly proxy: TestWorld["respond"]
  status(): ProviderStatus | undefined
  /** Makes the proxy serve different flags. */
  publish(flags: readonly FlagEntry[]): Promise<void>
  /** Resolves when the application may continue, with or without flags. */
  start(): Promise<void>
}

let applications = 0

export async function createFlagged(
  options: Partial<RemoteOptions & ContextOptions> = {},
  app: TestAppOptions & { readonly flags?: readonly FlagEntry[] } = {},
): Promise<Flagged> {
  const { flags = evaluatedFlags, ...rest } = app
  const shop = await createTestApp({
    files: buildFiles({ production: flags }),
    key: { rateLimit: { capacity: 1000, refillPerSecond: 1 } },
    ...rest,
  })
  const proxy: TestWorld["respond"] = async (url, { headers }) =>
    shop.ask(new URL(url).pathname, {
      headers: { authorization: null, ...Object.fromEntries(new Headers(headers)) },
    })
  const world = createTestWorld(proxy)
  const provider = new FlagstoneProvider(
    { url: "http://proxy.example", apiKey: shop.secret, ...options },
    world,
  )
  const domain = `application ${++applications}`
  const client = OpenFeature.getClient(domain)
  const events: string[] = []
  for (const event of Object.values(ProviderEvents)) {
    client.addHandler(event, (details) => {
      const { flagsChanged } = details as { readonly flagsChanged?: readonly string[] }
      const words = [event.replace("PROVIDER_", ""), flagsChanged?.join()]
      events.push(words.filter((word) => word !== undefined).join(" "))
    })
  }
  await world.settled() // the SDK tells each new handler that the provider before ours was ready
  events.length = 0
  return {
    world,
    provider,
    client,
    events,
    proxy,
    status: () => client.providerStatus,
    async publish(next) {
      shop.generation = await createMapGeneration(buildFiles({ production: next }))
    },
    async start() {
      const set = OpenFeature.setProviderAndWait(domain, provider).catch(() => undefined)
      await inTime(set, "the application may continue", () => [client.providerStatus, world.sent])
    },
  }
}
