import { afterAll } from "vitest"
import type { KeyRecord } from "../../proxy/contract/key-record.ts"
import { type ProxyConfig, type RunningProxy, startProxy } from "../../proxy/serve.ts"
import {
  buildFiles,
  createKeySource,
  createMapSource,
  createTestLogger,
  defaultBucket,
  mintKey,
  shop,
  type TestLogger,
  wallClock,
} from "./fixtures.ts"

/** A proxy on a real socket, and what it was started with unless the test brought its own. */
export interface TestProxy extends TestLogger {
  readonly proxy: RunningProxy
  readonly secret: string
  readonly files: Map<string, string>
  readonly keys: KeyRecord[]
  /** Asks with the key unless `headers` say otherwise. */
  get(path: string, headers?: Readonly<Record<string, string>>): Promise<Response>
  /** Asks the admin port. */
  admin(path: string, init?: RequestInit): Promise<{ readonly status: number; readonly text: string }>
}

/** On any free port of loopback, with a clock that stands still, and asked for changes never. */
const defaults = {
  host: "127.0.0.1",
  port: 0,
  defaultBucket,
  corsOrigins: [],
  drainDelay: 0,
  pollInterval: 0,
  clock: { now: () => wallClock, monotonicNow: () => 0, random: () => 0 },
} satisfies Partial<ProxyConfig>

const running: RunningProxy[] = []
afterAll(async () => {
  for (const proxy of running) await Promise.all([proxy.stop(), proxy.stop()]) // the second does not wait
})

/**
 * Starts a proxy of `shop` in `production` with one key and a roomy bucket, and stops it behind the tests of the file.
 * It logs to `lines`; a test that brings its own logger finds nothing there.
 */
export async function startTestProxy(changes: Partial<ProxyConfig> = {}): Promise<TestProxy> {
  const { secret, record } = mintKey({ rateLimit: { capacity: 1000, refillPerSecond: 1 } })
  const files = buildFiles({ production: shop })
  const keys = [record]
  const testLogger = createTestLogger()
  const proxy = await startProxy({
    ...defaults,
    snapshots: [createMapSource(files)],
    keys: createKeySource(keys),
    logger: testLogger.logger,
    ...changes,
  })
  running.push(proxy)
  return {
    ...testLogger,
    proxy,
    secret,
    files,
    keys,
    get: (path, headers) =>
      fetch(proxy.url + path, { headers: { authorization: `Bearer ${secret}`, ...headers } }),
    async admin(path, init) {
      const response = await fetch(`http://127.0.0.1:${proxy.adminPort}${path}`, init)
      return { status: response.status, text: await response.text() }
    },
  }
}
