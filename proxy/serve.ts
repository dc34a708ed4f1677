import { setTimeout as sleep } from "node:timers/promises"
import type { H3, H3Event } from "h3"
import { createApp, createLoadingApp } from "./app.ts"
import type { Bucket } from "./contract/bucket.ts"
import { createEventStreams, type EventStreams, type Schedule } from "./events/event-streams.ts"
import { createEvents } from "./events/events.ts"
import { createTickets } from "./events/tickets.ts"
import { clientAddress } from "./http/client-address.ts"
import { createCors } from "./http/cors.ts"
import { createDrain } from "./http/drain.ts"
import type { Observe } from "./http/event-context.ts"
import { listen } from "./http/listen.ts"
import { observeRequests } from "./http/observe-requests.ts"
import type { Page } from "./http/respond.ts"
import { createHttpServer, defaultMaxConnections, type HttpTimeouts } from "./http-server.ts"
import { createAccessLog } from "./observability/access-log.ts"
import type { Admin } from "./observability/admin.ts"
import { withoutOfrep } from "./ofrep/without-ofrep.ts"
import { createProxyState, type ProxyState, type ServedConfig } from "./proxy-state.ts"
import { createMemoryStore } from "./rate-limit/memory-store.ts"
import type { SharedStore, SharedStoreConfig } from "./rate-limit/shared-store.ts"
import { unusedClock } from "./snapshots/generation.ts"

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
  /** The package's version, for the log, the metrics and `/health`. */
  readonly version?: string | undefined
  /** The store through which proxies share the buckets of keys; `undefined`: this one has its own buckets. */
  readonly rateLimitStore?: Pick<SharedStoreConfig, "address" | "wait" | "proxies"> | undefined
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
  readonly pageFor?: (event: H3Event) => Page | undefined | Promise<Page | undefined>
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
  const { host, logger, version, adminHost = loopback } = config
  let isDraining = false
  let admin: Admin | undefined
  const { server, drain, connections, serve } = createServing(config, () => isDraining)
  const store = openStore(config)
  const giveUp = async (error: unknown): Promise<never> => {
    server.close().closeAllConnections()
    const opened = await store.catch(() => undefined)
    opened?.stop()
    await admin?.stop()
    throw error
  }
  const loaded = Promise.all([createProxyState(config), store])
  const early = await listenIfSlow(loaded, () => listen(server, host, config.port)).catch(giveUp)
  const [state, shared] = await loaded.catch(giveUp)
  const streams = openStreams(config, () => admin)
  const watched: Watched = {
    ...{ state, shared, streams },
    isReady: () => !isDraining && state.wasWhole(),
    connections,
    onFailure: (error) => logger.error({ err: error }, "request failed"),
  }
  admin = await openAdmin(config, watched).catch(giveUp)
  const observe = observeWith(config, admin)
  serve(await createProxyApp(config, watched, admin, observe), observe)
  const port = early ?? (await listen(server, host, config.port).catch(giveUp))
  server.on("error", (error) => logger.error({ err: error }, "connection not accepted"))
  const reloaders = [...state.projects, state.keys]
  for (const reloader of reloaders) reloader.poll(config.pollInterval)
  state.whenReplaced(() => streams.refresh())

  const url = `http://${host.includes(":") ? `[${host}]` : host}:${port}`
  logger.info(
    { version, url, ...(admin && { adminPort: admin.port, adminHost }), ...describeServed(state) },
    "proxy started",
  )
  const warning = unusedClock(state.generation, config.clockAttribute)
  if (warning !== undefined) logger.warn({ clockAttribute: config.clockAttribute }, warning)

  return {
    ...{ url, host, port, adminPort: admin?.port },
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

/** A server that knows only `/livez` until it has an app to `serve`, and ends the connections that came before. */
function createServing(
  { timeouts, logger, eventStreams = defaultEventStreams }: ProxyConfig,
  isDraining: () => boolean,
) {
  const loading = createLoadingApp()
  let app: H3 = loading
  let observe: Observe | undefined
  let connections = 0
  const server = createHttpServer(
    { fetch: (request) => app.fetch(request) },
    {
      isDraining: () => isDraining() || app === loading,
      onFailure: (error) => logger.error({ err: error }, "response not sent"),
      observe: (observation) => observe?.(observation),
      timeouts,
      maxConnections: defaultMaxConnections + eventStreams,
    },
  )
  server.on("connection", () => void connections++)
  return {
    server,
    drain: createDrain(server),
    connections: () => connections,
    serve(next: H3, observeNext: Observe | undefined) {
      app = next
      observe = observeNext
    },
  }
}

/**
 * Listens while the proxy is still loading, so that `/livez` is answered; `undefined`: it loaded quickly. Then it has
 * accepted no connection, because load balancers send a request whose connection was refused elsewhere, but not one that
 * got a 503.
 */
async function listenIfSlow(
  loaded: Promise<unknown>,
  listenNow: () => Promise<number>,
): Promise<number | undefined> {
  const isQuick = await Promise.race([loaded.then(() => true), sleep(quickStart, false, { ref: false })])
  return isQuick ? undefined : listenNow()
}

/** What operators see of a proxy. */
interface Watched {
  readonly state: ProxyState
  readonly shared: SharedStore | undefined
  readonly streams: EventStreams
  readonly isReady: () => boolean
  /** How many have been accepted so far. */
  readonly connections: () => number
  readonly onFailure: (error: unknown) => void
}

async function openStore({
  rateLimitStore: store,
  clock,
  logger,
}: ProxyConfig): Promise<SharedStore | undefined> {
  if (store === undefined) return undefined
  const { openSharedStore } = await import("./rate-limit/shared-store.ts")
  return openSharedStore({ ...store, clock, logger })
}

function openStreams(config: ProxyConfig, admin: () => Admin | undefined): EventStreams {
  const { clock, pollInterval, eventStreams = defaultEventStreams } = config
  return createEventStreams({
    most: eventStreams,
    pollInterval,
    monotonicNow: clock.monotonicNow,
    random: clock.random,
    schedule: config.schedule ?? schedule,
    onSent: (delay) => admin()?.observeEvent(delay),
  })
}

async function openAdmin(
  { adminPort: port, adminHost: host = loopback, clock, version, droppedLogLines = () => 0 }: ProxyConfig,
  { streams, ...watched }: Watched,
): Promise<Admin | undefined> {
  if (port === undefined) return undefined
  const { startAdmin } = await import("./observability/admin.ts")
  const parts = { ...watched, eventStreams: () => streams.size, clock, version, droppedLogLines }
  return startAdmin(host, port, parts)
}

/** What is called for each request; `undefined`: nothing is. */
function observeWith({ logsRequests, logger }: ProxyConfig, admin: Admin | undefined): Observe | undefined {
  const observers: Observe[] = []
  if (admin !== undefined) observers.push(admin.observe)
  if (logsRequests === true) observers.push(createAccessLog(logger))
  if (observers.length === 0) return undefined
  return (observation) => {
    for (const observe of observers) observe(observation)
  }
}

async function createProxyApp(
  config: ProxyConfig,
  { state, shared, streams, isReady, connections, onFailure }: Watched,
  admin: Admin | undefined,
  observe: Observe | undefined,
): Promise<H3> {
  const { clock, evaluateBucket, clockAttribute, trustedHops = 0, pageFor } = config
  const parts = {
    keyring: () => state.keyring,
    generation: () => state.generation,
    keyLimits: shared ?? createMemoryStore(maxBuckets),
    strangerLimits: createMemoryStore(maxBuckets),
    strangerBucket,
    clientAddress: ({ req }: H3Event) =>
      clientAddress(req.ip, trustedHops === 0 ? null : req.headers.get("x-forwarded-for"), trustedHops),
    now: clock.now,
    monotonicNow: clock.monotonicNow,
    cors: createCors(config.corsOrigins),
  }
  const events =
    config.eventStreams === 0
      ? undefined
      : createEvents({ ...parts, streams, onRefused: () => admin?.observeRefusal() })
  const ofrep =
    evaluateBucket === undefined
      ? withoutOfrep(parts.cors, config.logger)
      : (await import("./ofrep/ofrep.ts")).createOfrep(
          {
            ...parts,
            // Not shared: addresses ask rarely, so most requests would cost a call, and with a browser's key anyone
            // could fill the store with names.
            evaluateLimits: createMemoryStore(maxBuckets),
            evaluateBucket,
            clockAttribute,
            connections,
          },
          events && { events, tickets: createTickets(config.eventsSecret) },
        )
  const middleware = observe && [observeRequests(observe, parts)]
  return createApp({ ...parts, middleware, ofrep, events, isReady, pageFor, onFailure })
}

/** For the log. */
function describeServed({ generation, keyring }: ProxyState): object {
  const projects = generation.projects.map(({ name, environments }) => ({
    project: name,
    revisions: Object.fromEntries(
      [...environments].map(([environment, { revision }]) => [environment, revision]),
    ),
  }))
  return { projects, keys: keyring.size }
}

const schedule: Schedule = (milliseconds, task) => {
  const timer = setTimeout(task, milliseconds)
  return () => clearTimeout(timer)
}

const loopback = "127.0.0.1"

const defaultEventStreams = 10_000

/** About 10 MB of memory. */
const maxBuckets = 100_000

/** Milliseconds: most proxies have read their flags by then. */
const quickStart = 1_000

/** For failed authentication: large, because a whole office may share an address. */
const strangerBucket: Bucket = { capacity: 100, refillPerSecond: 10 }

/** How long requests under way may take to end, in milliseconds. */
const closeDeadline = 10_000
