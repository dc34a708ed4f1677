import { join } from "node:path"
import { expect, test } from "vitest"
import { createKeyring } from "../../../proxy/keys/keyring.ts"
import { formatHealth } from "../../../proxy/observability/health.ts"
import { createMetrics } from "../../../proxy/observability/metrics.ts"
import type { ProxyState } from "../../../proxy/proxy-state.ts"
import type { SharedStore } from "../../../proxy/rate-limit/shared-store.ts"
import { createGeneration } from "../../../proxy/snapshots/generation.ts"
import { golden } from "../../golden-page.ts"
import { buildFiles, defaultBucket, loadFiles, mintKey, shop, wallClock } from "../fixtures.ts"

// test/golden/metrics.txt and health.txt are what a scrape and /health get; `npx vitest run metrics -u` writes them.

const fault = (message: string) => ({ kind: "broken", message }) as const

/** A proxy with two sources, of which one is a project, and keys in every state. */
async function createState() {
  const key = (id: string, more = {}) => ({
    ...mintKey({ id, createdAt: wallClock - 10_000 }).record,
    ...more,
  })
  const keyring = createKeyring(
    [
      key("web", { expiresAt: wallClock + 5000 }),
      key("forever"),
      key("later", { notBefore: wallClock + 3000, expiresAt: wallClock + 5000 }),
      key("over", { expiresAt: wallClock - 1 }),
      key("leaked", { revokedAt: wallClock - 1 }),
    ],
    defaultBucket,
    wallClock - 3000,
  )
  const loaded = await loadFiles(buildFiles({ production: shop, staging: [] }), undefined)
  const manifest = {
    publishedAt: "2026-12-01T00:00:00Z",
    committedAt: "2026-11-30T23:00:00Z",
    rollback: true as const,
  }
  const project = { ...loaded, manifest, faults: new Map([["staging", fault("too long")]]) }
  const reloader = { location: "an address", fault: undefined }
  const state = {
    generation: createGeneration([project], false),
    keyring,
    keys: {
      ...reloader,
      current: keyring,
      goodAt: wallClock - 1500,
      cacheFault: "no space",
      replaced: 2,
      refused: 1,
    },
    projects: [
      { ...reloader, current: project, goodAt: wallClock - 500, cacheFault: null, replaced: 3, refused: 0 },
      {
        ...{ ...reloader, current: undefined, goodAt: undefined, replaced: 0, refused: 4 },
        fault: fault("no manifest"),
      },
    ],
    unserved: () => ({
      missing: [{ project: "shop", environment: "test" }],
      unknown: [
        { project: undefined, environment: "demo" },
        { project: "toys", environment: "demo" },
      ],
    }),
  }
  return state as unknown as ProxyState
}

const shared = {
  address: "redis://store:6379",
  fault: () => "it does not answer",
  decisions: { store: 5, refusal: 2, local: 1 },
  onAnswer: (listener: (milliseconds: number) => void) => listener(3),
} as unknown as SharedStore

test("a scrape has each metric with its sentence, its labels and its value", async () => {
  const state = await createState()
  const metrics = createMetrics({
    ...{ state, shared, isReady: () => true, eventStreams: () => 7, droppedLogLines: () => 8 },
    ...{ clock: { now: () => wallClock + 2000, monotonicNow: () => wallClock + 2000 }, version: undefined },
  })
  const observe = (route: string, status: number, more = {}) =>
    metrics.observe({
      ...{ route: route as "/v1/flags", status, method: "GET", keyId: undefined, denial: undefined },
      ...{ duration: 20, isCut: false, address: undefined, ...more },
    })
  observe("/v1/flags", 200, { keyId: "web" })
  observe("/v1/flags", 200, { method: "PROPFIND", isCut: true })
  observe("/v1/flags/{key}", 401, { denial: "unknown" })
  observe("/v1/flags", 429, { denial: "expired" })
  observe("/v1/flags", 429, { keyId: "web" })
  observe("/v1/flags", 429, { keyId: "gone" })
  observe("/v1/events", 200, { duration: 60_000, isCut: true })
  metrics.observeEvent(60)
  metrics.observeEvent(undefined)
  metrics.observeRefusal()
  const blocks = (await metrics.format()).split(/\n\n|\n(?=# HELP)/)
  const ours = blocks.filter((block) => block.includes("flagstone_")).map((block) => `${block.trim()}\n`)
  await expect(ours.join("\n")).toMatchFileSnapshot(join(golden, "metrics.txt"))
})

test("health has names, times and reasons", async () => {
  const state = await createState()
  const clock = { now: () => wallClock, monotonicNow: () => wallClock }
  const health = formatHealth({ state, shared, isReady: () => false, clock, version: "1.2.3" })
  await expect(health).toMatchFileSnapshot(join(golden, "health.txt"))
  const alone = formatHealth({ state, shared: undefined, isReady: () => true, clock, version: undefined })
  expect(JSON.parse(alone)).toMatchObject({ version: null, ready: true, rateLimitStore: null })
})
