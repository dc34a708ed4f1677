import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { afterAll, onTestFinished } from "vitest"
import type { KeyRecord } from "../../proxy/contract/key-record.ts"
import { type ProxyConfig, type RunningProxy, startProxy } from "../../proxy/serve.ts"
import { until } from "../in-time.ts"
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

/** A proxy on a real socket, and the defaults that it was started with. */
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

/** On any free loopback port, with a clock that stands still, and without polling. */
const defaults = {
  host: "127.0.0.1",
  port: 0,
  defaultBucket,
  corsOrigins: [],
  drainDelay: 0,
  pollInterval: 0,
  eventsSecret: "a secret of the test's",
  clock: { now: () => wallClock, monotonicNow: () => 0, random: () => 0 },
} satisfies Partial<ProxyConfig>

const running: RunningProxy[] = []
afterAll(async () => {
  for (const proxy of running) await Promise.all([proxy.stop(), proxy.stop()]) // the second does not wait
})

/**
 * Starts a proxy of `shop` in `production` with one key and a large bucket, and stops it after the tests of the file.
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

/** A folder that a real process can serve, removed when the test is finished. */
export interface ServedFolder {
  readonly folder: string
  /** Its key file, whose one key may read `production` as often as it likes. */
  readonly keyFile: string
  readonly secret: string
}

export function makeServedFolder(files = buildFiles({ production: shop })): ServedFolder {
  const folder = mkdtempSync(join(tmpdir(), "flagstone-served-"))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  for (const [file, text] of files) writeFileSync(join(folder, file), text)
  const { secret, record } = mintKey()
  const keyFile = join(folder, "keys.yaml")
  const rateLimit = "{capacity: 1000000000, refillPerSecond: 1000000000}"
  writeFileSync(
    keyFile,
    `keys:\n  - {id: web, environment: production, digest: "sha256:${record.digest}", createdAt: 2026-11-21T10:00:00.000Z, rateLimit: ${rateLimit}}\n`,
  )
  return { folder, keyFile, secret }
}

/** A proxy as an operator starts it: a separate process, no variables, no options of Node. */
export interface SpawnedProxy {
  readonly child: ChildProcess
  readonly log: () => string
  /** Resolves when the log has this many lines with `text`. */
  said(text: string, times?: number): Promise<void>
  /** Its address, as soon as it listens. */
  started(): Promise<string>
  /** The exit status, or the signal that ended it. */
  readonly exit: Promise<readonly [number | null, string | null]>
  /** Raises SIGTERM and waits for the end: the exit status or signal, and after how many milliseconds. */
  stop(): Promise<{ readonly ended: number | string | null; readonly after: number }>
  /** Its memory in megabytes; on Linux. */
  memory(): number
}

/** Killed when the test is finished. `within`: the command that starts it. */
export function spawnProxy(
  snapshots: string,
  keyFile: string,
  args: readonly string[] = [],
  within: readonly string[] = [],
): SpawnedProxy {
  const [program = "", ...words] = [
    ...[...within, process.execPath, resolve(import.meta.dirname, "../../cli/flagstone.js")],
    ...["serve", "--snapshots", snapshots, "--keys", keyFile, "--port", "0", ...args],
  ]
  const child = spawn(program, words, { stdio: ["ignore", "pipe", "inherit"] })
  onTestFinished(() => void child.kill("SIGKILL"))
  let log = ""
  child.stdout.setEncoding("utf8").on("data", (chunk) => {
    log += chunk
  })
  const exit = once(child, "exit") as Promise<[number | null, string | null]>
  const said = (text: string, times = 1): Promise<void> =>
    until(
      () => log.split(text).length > times,
      `the log has "${text}" ${times} times`,
      () => log,
    )
  return {
    child,
    log: () => log,
    said,
    async started() {
      await said("proxy started")
      return /"url":"([^"]+)"/.exec(log)?.[1] ?? ""
    },
    exit,
    async stop() {
      const start = performance.now()
      child.kill("SIGTERM")
      const [status, signal] = await exit
      return { ended: status ?? signal, after: performance.now() - start }
    },
    memory: () =>
      Number(/^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${child.pid}/status`, "utf8"))?.[1]) / 1024,
  }
}
