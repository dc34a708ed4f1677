import { createApp } from "./app.ts"
import type { Bucket } from "./contract/bucket.ts"
import { createEventStreams, type Schedule } from "./events/event-streams.ts"
import { createEvents } from "./events/events.ts"
import { createTickets } from "./events/tickets.ts"
import { clientAddress } from "./http/client-address.ts"
import { createCors } from "./http/cors.ts"
import { createDrain } from "./http/drain.ts"
import { type Observe, oneLine, type ProxyRequest } from "./http/exchange.ts"
import { listen } from "./http/listen.ts"
import { findCollision, loopback } from "./http/port-collision.ts"
import type { Page } from "./http/respond.ts"
import { createHttpServer, defaultMaxConnections, type HttpTimeouts } from "./http-server.ts"
import { createAccessLog } from "./observability/access-log.ts"
import { createProxyState, type ServedConfig } from "./proxy-state.ts"
import { createMemoryStore } from "./rate-limit/memory-store.ts"
import type { StoreAddress } from "./rate-limit/store-address.ts"

/** Everything that a proxy needs to know about the outside. Durations are milliseconds. */
export interface ProxyConfig extends ServedConfig {
  readonly host: string
  /** 0: any free one. */
  readonly port: number
  /** The origins whose pages may read the answers; `*` allows all, `loopback` this machine's; an empty list turns CORS off. */
  readonly corsOrigins: readonly string[]
  /** How long `stop` keeps answering after `/readyz` has changed to 503. */
  readonly drainDelay: number
  /** How often the sources are checked for changes; 0: never. */
  readonly pollInterval: number
  /** How many reverse proxies in front of this one are trusted to report addresses; 0 by default. */
  readonly trustedHops?: number
  /** The port for metrics and health details; 0: any free port; `undefined`: none. */
  readonly adminPort?: number | undefined
  /** The address to listen on for that port; loopback by default, because it needs no key. */
  readonly adminHost?: string | undefined
  /** The package's version, for the metrics. */
  readonly version?: string | undefined
  /** The store through which proxies share the buckets of keys; `undefined`: this one has its own buckets. */
  readonly rateLimitStore?: StoreAddress | undefined
  /** How long a request may wait for that store; 25 by default. */
  readonly rateLimitWait?: number
  /** How many proxies share it; 1 by default. */
  readonly rateLimitProxies?: number
  /** How many clients may listen to events; 10,000 by default; 0 turns events off. */
  readonly eventStreams?: number | undefined
  /** Signs the tickets for event streams; proxies with the same secret accept each other's. */
  readonly eventsSecret: string | Uint8Array
  /** The attribute that gets the current time if a context to evaluate lacks it; `undefined`: none. */
  readonly clockAttribute?: string | undefined
  /** Replaces timers in tests that control time. */
  readonly schedule?: Schedule
  /** Whether each request is logged; not by default. */
  readonly logsRequests?: boolean
  /** How many log lines have been dropped because the log's reader stalled; none by default. */
  readonly droppedLogLines?: () => number
  /** The page for a path that is not one of the proxy's routes; without it there are none. */
  readonly pageFor?: (request: ProxyRequest) => Page | undefined | Promise<Page | undefined>
  /** For tests that cannot wait as long as clients can. */
  readonly timeouts?: HttpTimeouts
}

/** A proxy that listens. */
export interface RunningProxy {
  readonly url: string
  readonly host: string
  readonly port: number
  /** `undefined`: there are no metrics. */
  readonly adminPort: number | undefined
  /** Reloads snapshots and keys now, even if they seem unchanged. Never rejects: the last good ones stay. */
  reload(): Promise<void>
  /**
   * Becomes unready, sends `Connection: close` with every answer, waits `drainDelay`, stops listening, and closes what
   * is left after 10 s. A second call closes everything immediately. Resolves when the last connection is closed.
   */
  stop(): Promise<void>
}

/**
 * Loads, listens, then polls. Throws an error that says what to fix if there is no good set of snapshots, no good key,
 * or the port is not available; then nothing is left running.
 */
export async function startProxy(config: ProxyConfig): Promise<RunningProxy> {
  const { host, logger, clock, trustedHops = 0 } = config
  const { now, monotonicNow } = clock
  const { adminHost = loopback } = config
  refuseCollision(config)
  const state = await createProxyState(config)
  let isDraining = false
  const onFailure = (error: unknown): void => logger.error({ err: error }, "request failed")
  const isReady = (): boolean => !isDraining && state.wasWhole()
  const addressOf = (peer: string | undefined, forwardedFor: string | undefined) =>
    clientAddress(peer, forwardedFor, trustedHops)
  const shared =
    config.rateLimitStore === undefined
      ? undefined
      : await (await import("./rate-limit/shared-store.ts")).openSharedStore({
          address: config.rateLimitStore,
          wait: config.rateLimitWait ?? defaultWait,
          proxies: config.rateLimitProxies ?? 1,
          clock,
          logger,
        })
  const giveUp = async (error: unknown): Promise<never> => {
    shared?.stop()
    throw error
  }

  const parts = {
    keyring: () => state.keyring,
    generation: () => state.generation,
    keyLimits: shared ?? createMemoryStore(maxBuckets),
    strangerLimits: createMemoryStore(maxBuckets),
    strangerBucket,
    clientAddress: ({ peer, headers }: ProxyRequest) =>
      addressOf(peer.remoteAddress, oneLine(headers["x-forwarded-for"])),
    now,
    monotonicNow,
    cors: createCors(config.corsOrigins),
  }
  const { eventStreams = defaultEventStreams } = config
  const streams = createEventStreams({
    most: eventStreams,
    pollInterval: config.pollInterval,
    monotonicNow,
    random: clock.random,
    schedule: config.schedule ?? schedule,
    onSent: (delay) => admin?.observeEvent(delay),
  })
  const events =
    eventStreams > 0
      ? createEvents({ ...parts, streams, onRefused: () => admin?.observeRefusal() })
      : undefined
  const ofrep = config.evaluateBucket
    ? (await import("./ofrep/ofrep.ts")).createOfrep(
        {
          ...parts,
          // Not shared: addresses ask rarely, so most requests would cost a call, and with a browser's key anyone could
          // fill the store with names.
          evaluateLimits: createMemoryStore(maxBuckets),
          evaluateBucket: config.evaluateBucket,
          clockAttribute: config.clockAttribute,
        },
        events && { events, tickets: createTickets(config.eventsSecret) },
      )
    : undefined
  const app = createApp({ ...parts, ofrep, events, isReady, pageFor: config.pageFor, onFailure })
  const admin =
    config.adminPort === undefined
      ? undefined
      : await (await import("./observability/admin.ts"))
          .startAdmin(
            { host: adminHost, port: config.adminPort },
            {
              state,
              shared,
              isReady,
              eventStreams: () => streams.size,
              now,
              onFailure,
              version: config.version,
              droppedLogLines: config.droppedLogLines ?? (() => 0),
            },
          )
          .catch(giveUp)
  const observers: Observe[] = []
  if (admin !== undefined) observers.push(admin.observe)
  if (config.logsRequests === true) observers.push(createAccessLog(logger))

  const server = createHttpServer(app, {
    isDraining: () => isDraining,
    onFailure,
    addressOf,
    monotonicNow,
    observers,
    timeouts: config.timeouts,
    maxConnections: defaultMaxConnections + eventStreams,
  })
  const drain = createDrain(server)
  const port = await listen(server, host, config.port).catch(async (error) => {
    await admin?.stop()
    return giveUp(error)
  })
  server.on("error", (error) => logger.error({ err: error }, "connection not accepted"))
  const reloaders = [...state.projects, state.keys]
  for (const reloader of reloaders) reloader.poll(config.pollInterval)
  state.whenReplaced(() => streams.refresh())

  const url = `http://${host.includes(":") ? `[${host}]` : host}:${port}`
  const projects = state.generation.projects.map(({ name, environments }) => ({
    project: name,
    revisions: Object.fromEntries(
      [...environments].map(([environment, { revision }]) => [environment, revision]),
    ),
  }))
  logger.info(
    { url, adminPort: admin?.port, ...(admin && { adminHost }), projects, keys: state.keyring.size },
    "proxy started",
  )

  return {
    url,
    host,
    port,
    adminPort: admin?.port,
    reload: () => state.reload(),
    async stop() {
      const isFirst = !isDraining
      isDraining = true
      if (isFirst) logger.info({ drainDelay: config.drainDelay }, "proxy stopping")
      for (const reloader of reloaders) reloader.stop()
      streams.end()
      await drain.stop(config.drainDelay, closeDeadline)
      shared?.stop()
      await admin?.stop()
      if (isFirst) logger.info("proxy stopped")
    },
  }
}

/** Throws an error that says what to fix if both servers want the same port. */
function refuseCollision(config: ProxyConfig): void {
  const message = findCollision(config)
  if (message !== undefined) throw new Error(message)
}

const schedule: Schedule = (milliseconds, task) => {
  const timer = setTimeout(task, milliseconds)
  return () => clearTimeout(timer)
}

const defaultEventStreams = 10_000

/** About 10 MB of memory. */
const maxBuckets = 100_000

/** Milliseconds. */
const defaultWait = 25

/** For failed authentication: large, because a whole office may share an address. */
const strangerBucket: Bucket = { capacity: 100, refillPerSecond: 10 }

/** How long requests under way may take to end, in milliseconds. */
const closeDeadline = 10_000
