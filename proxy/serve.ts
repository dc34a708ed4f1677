import type { Logger } from "pino"
import { createApp } from "./app.ts"
import type { Bucket } from "./contract/key-file.ts"
import { createDrain } from "./drain.ts"
import { createHoldings, type Reloads } from "./holdings.ts"
import { createCors } from "./http/cors.ts"
import { createHttpServer } from "./http-server.ts"
import type { KeySource } from "./keys/key-source.ts"
import { listen } from "./listen.ts"
import { createPoll } from "./poll.ts"
import { createMemoryStore } from "./rate-limit/memory-store.ts"
import type { SnapshotSource } from "./snapshots/snapshot-source.ts"

/** Everything that a proxy knows of the outside. Durations are milliseconds. */
export interface ProxyConfig {
  readonly snapshots: SnapshotSource
  readonly keys: KeySource
  readonly host: string
  /** 0: any free one. */
  readonly port: number
  /** For the keys that bring no bucket of their own. */
  readonly defaultBucket: Bucket
  /** The origins whose pages may read the answers; `*` is all; none turns CORS off. */
  readonly corsOrigins: readonly string[]
  /** How long `stop` keeps answering after `/readyz` began to say no. */
  readonly drainDelay: number
  /** How often the sources are asked for changes; 0: never. */
  readonly pollInterval: number
  /** Wall clock, milliseconds since the epoch. */
  readonly now: () => number
  /** Milliseconds from an arbitrary start; never goes back. */
  readonly monotonicNow: () => number
  readonly logger: Logger
}

/** A proxy that listens. */
export interface RunningProxy {
  readonly url: string
  readonly host: string
  readonly port: number
  /** Loads snapshots and keys again now, whether they seem changed or not. Never rejects: the last good ones stay. */
  reload(): Promise<Reloads>
  /**
   * Not ready, `Connection: close` on every answer, wait `drainDelay`, close, and cut what is left after 10 s. Called
   * again it cuts at once. Resolves when the last connection is gone.
   */
  stop(): Promise<void>
}

/**
 * Loads, then listens, then watches. Throws an error whose message says what to mend when there is no good set of
 * snapshots, no good key, or no such port to be had; then nothing is left running.
 */
export async function startProxy(config: ProxyConfig): Promise<RunningProxy> {
  const { host, logger, now, monotonicNow } = config
  const holdings = await createHoldings(config)
  let isDraining = false
  const onFailure = (error: unknown): void => logger.error({ err: error }, "request failed")

  const app = createApp({
    keyring: () => holdings.keyring,
    generation: () => holdings.generation,
    keyLimits: createMemoryStore(maxBuckets),
    strangerLimits: createMemoryStore(maxBuckets),
    strangerBucket,
    now,
    monotonicNow,
    cors: createCors(config.corsOrigins),
    isReady: () => !isDraining && holdings.missing().length === 0,
    onFailure,
  })
  const server = createHttpServer(app, { isDraining: () => isDraining, onFailure })
  const drain = createDrain(server)
  const port = await listen(server, host, config.port)
  server.on("error", (error) => logger.error({ err: error }, "connection not accepted"))
  const poll = createPoll(config.pollInterval, async () => void (await holdings.reload(false)))

  const url = `http://${host.includes(":") ? `[${host}]` : host}:${port}`
  const { project, revision, snapshots } = holdings.generation
  const environments = [...snapshots.keys()]
  logger.info({ url, project, revision, environments, keys: holdings.keyring.size }, "proxy started")

  return {
    url,
    host,
    port,
    reload: () => holdings.reload(true),
    async stop() {
      const isFirst = !isDraining
      isDraining = true
      if (isFirst) logger.info({ drainDelay: config.drainDelay }, "proxy stopping")
      poll.stop()
      await drain.stop(config.drainDelay, closeDeadline)
      if (isFirst) logger.info("proxy stopped")
    },
  }
}

/** Some 10 MB of memory, whoever asks. */
const maxBuckets = 100_000

/** For those who fail to authenticate: roomy, because a whole office may share an address. */
const strangerBucket: Bucket = { capacity: 100, refillPerSecond: 10 }

/** How long requests under way may take to end, in milliseconds. */
const closeDeadline = 10_000
