import type { H3, H3Event } from "h3"
import { createApp } from "../../proxy/app.ts"
import type { KeyRecord } from "../../proxy/contract/key-record.ts"
import { createCors } from "../../proxy/http/cors.ts"
import { routedTarget } from "../../proxy/http/target.ts"
import { createKeyring } from "../../proxy/keys/keyring.ts"
import type { OfrepEvents } from "../../proxy/ofrep/events-route.ts"
import { createOfrep } from "../../proxy/ofrep/ofrep.ts"
import { createEvaluatedPreparation } from "../../proxy/prepare/prepare-evaluated.ts"
import { createMemoryStore, type RateLimitStore } from "../../proxy/rate-limit/memory-store.ts"
import { createGeneration, type Generation } from "../../proxy/snapshots/generation.ts"
import { recordSaid } from "../secrets/record.ts"

import { buildFiles, defaultBucket, evaluateBucket, loadFiles, mintKey, shop, wallClock } from "./fixtures.ts"

/** An app in memory with one key for `production`, and clocks that stand still until they are moved. */
export interface TestApp {
  readonly secret: string
  readonly clock: { now: number; monotonic: number }
  readonly failures: unknown[]
  generation: Generation
  isReady: boolean
  /** Asks with the key unless `headers` say otherwise; `null` leaves a header out. */
  ask(path: string, init?: AskInit): Promise<Response>
  readonly fetch: H3["fetch"]
}

export interface AskInit {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string | null>>
  readonly ip?: string
  readonly body?: string | Uint8Array
}

export interface TestAppOptions {
  readonly files?: ReadonlyMap<string, string>
  readonly key?: Partial<KeyRecord>
  readonly moreKeys?: readonly KeyRecord[]
  readonly corsOrigins?: readonly string[]
  readonly keyLimits?: RateLimitStore
  readonly clockAttribute?: string
  readonly ofrepEvents?: OfrepEvents
}

export async function createTestApp(options: TestAppOptions = {}): Promise<TestApp> {
  const { secret, record } = mintKey(options.key)
  const keyring = createKeyring([record, ...(options.moreKeys ?? [])], defaultBucket)
  const clock = { now: wallClock, monotonic: 0 }
  const failures: unknown[] = []
  const onFailure = (error: unknown) => failures.push(error)
  const project = await loadFiles(
    options.files ?? buildFiles({ production: shop }),
    undefined,
    createEvaluatedPreparation(() => 0),
  )
  const generation = createGeneration([project], false)
  const test = { generation, isReady: true }
  const parts = {
    keyring: () => keyring,
    generation: () => test.generation,
    keyLimits: options.keyLimits ?? createMemoryStore(100),
    strangerLimits: createMemoryStore(100),
    strangerBucket: defaultBucket,
    clientAddress: ({ req }: H3Event) => req.ip,
    now: () => clock.now,
    monotonicNow: () => clock.monotonic,
    cors: createCors(options.corsOrigins ?? []),
  }
  const ofrep = createOfrep(
    {
      ...parts,
      evaluateLimits: createMemoryStore(100),
      evaluateBucket,
      clockAttribute: options.clockAttribute,
    },
    options.ofrepEvents,
  )
  const app = createApp({ ...parts, ofrep, isReady: () => test.isReady, onFailure })
  return Object.assign(test, {
    secret,
    clock,
    failures,
    fetch: app.fetch,
    async ask(path: string, { method = "GET", headers = {}, ip = "192.0.2.1", body }: AskInit = {}) {
      const all = { authorization: `Bearer ${secret}`, ...headers }
      const sent = Object.entries(all).filter((pair): pair is [string, string] => pair[1] !== null)
      const routed = routedTarget(path)
      const hasBody = body !== undefined && method !== "GET" && method !== "HEAD"
      const request = new Request(`http://localhost${routed?.target ?? path}`, {
        method,
        headers: sent,
        ...(hasBody && { body: Buffer.from(body) }),
      })
      return note(
        await app.fetch(Object.assign(request, { ip, ...(routed && { context: { path: routed.path } }) })),
      )
    },
  })
}

/** Strangers read whatever an app refuses with. */
async function note(response: Response): Promise<Response> {
  if (response.status < 400) return response
  const text = await response.text()
  recordSaid("the answers of an app", `${[...response.headers].join("\n")}\n\n${text}\n`)
  const { status, statusText, headers } = response
  return new Response(text === "" ? null : text, { status, statusText, headers })
}
