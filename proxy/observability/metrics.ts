import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client"
import { keyState } from "../contract/key-record.ts"
import type { Observe } from "../http/event-context.ts"
import type { ProxyState } from "../proxy-state.ts"
import type { SharedStore } from "../rate-limit/shared-store.ts"
import type { Clock } from "../reload/reloader.ts"
import { createGauge } from "./gauge.ts"
import { createRequestMetrics } from "./request-metrics.ts"
import { createSnapshotMetrics } from "./snapshot-metrics.ts"

/** The metrics for Prometheus. Every label has few values, and none comes from a client. */
export interface Metrics {
  readonly observe: Observe
  /** Counts an event; `delay`: milliseconds since the replacement, if it is about one. */
  readonly observeEvent: (delay: number | undefined) => void
  /** Counts a stream that was refused for lack of room. */
  readonly observeRefusal: () => void
  readonly contentType: string
  /** The text that answers a scrape. */
  format(): Promise<string>
}

export interface MetricsParts {
  readonly state: ProxyState
  /** `undefined`: the proxy has its own buckets. */
  readonly shared: SharedStore | undefined
  readonly isReady: () => boolean
  /** How many clients listen to events. */
  readonly eventStreams: () => number
  readonly clock: Clock
  readonly droppedLogLines: () => number
  /** This package's version; `undefined`: unknown. */
  readonly version: string | undefined
}

/** Each call creates its own registry, so that several proxies in one process stay separate. */
export function createMetrics(parts: MetricsParts): Metrics {
  const registry = new Registry()
  const registers = [registry]
  collectDefaultMetrics({ register: registry })
  const observe = createRequestMetrics(registers, parts.state)
  createSnapshotMetrics(registers, parts)
  createSourceMetrics(registers, parts)
  createKeyMetrics(registers, parts)
  const { observeEvent, observeRefusal } = createEventMetrics(registers, parts)
  if (parts.shared !== undefined) createStoreMetrics(registers, parts.shared)
  createGauge(
    registers,
    "flagstone_build_info",
    "Always 1, with the running version of Flagstone.",
    ["version"],
    (set) => set({ version: parts.version ?? "unknown" }, 1),
  )
  createGauge(registers, "flagstone_ready", "1 while a load balancer should send requests here.", [], (set) =>
    set({}, parts.isReady() ? 1 : 0),
  )
  new Counter({
    name: "flagstone_log_lines_dropped_total",
    help: "Log lines dropped because the log's reader cannot keep up.",
    registers,
    collect() {
      this.reset()
      this.inc(parts.droppedLogLines())
    },
  })
  return {
    observe,
    observeEvent,
    observeRefusal,
    contentType: registry.contentType,
    format: () => registry.metrics(),
  }
}

function createSourceMetrics(registers: Registry[], { state, clock }: MetricsParts): void {
  const since = (moment: number) => (clock.monotonicNow() - moment) / 1000
  createGauge(
    registers,
    "flagstone_source_good_seconds",
    "Seconds since a source was last read, or found unchanged, without a fault; absent until it is.",
    ["source"],
    (set) => {
      for (const { source, reloader } of sourcesOf(state))
        if (reloader.goodAt !== undefined) set({ source }, since(reloader.goodAt))
    },
  )
  createGauge(
    registers,
    "flagstone_cache_good",
    "0 if the last write to the cache of a source failed, else 1.",
    ["source"],
    (set) => {
      for (const { source, reloader } of sourcesOf(state))
        if (reloader.cacheFault !== undefined) set({ source }, reloader.cacheFault === null ? 1 : 0)
    },
  )
  new Counter({
    name: "flagstone_reloads_total",
    help: "Reloads of a source: replaced, or refused because it is bad or cannot be reached.",
    labelNames: ["source", "result"],
    registers,
    collect() {
      this.reset()
      for (const { source, reloader } of sourcesOf(state)) {
        this.inc({ source, result: "replaced" }, reloader.replaced)
        this.inc({ source, result: "refused" }, reloader.refused)
      }
    },
  })
}

/** Names sources by kind and number: locations belong in logs, not in labels. */
function sourcesOf({ projects, keys }: ProxyState) {
  return [
    { source: "keys", reloader: keys },
    ...projects.map((reloader, index) => ({ source: `snapshots-${index + 1}`, reloader })),
  ]
}

function createKeyMetrics(registers: Registry[], { state, clock: { now } }: MetricsParts): void {
  createGauge(
    registers,
    "flagstone_environments_missing",
    "Environments that usable keys read and a manifest names, but no document is loaded: clients get a 503.",
    [],
    (set) => set({}, state.unserved().missing.length),
  )
  createGauge(
    registers,
    "flagstone_environments_unknown",
    "Environments that usable keys read and no manifest names: their clients get a 503.",
    [],
    (set) => set({}, state.unserved().unknown.length),
  )
  createGauge(registers, "flagstone_keys", "API keys by their state.", ["state"], (set) => {
    const states = Map.groupBy(state.keyring.records, (record) => keyState(record, now()))
    for (const state of ["active", "not yet", "expired", "revoked"] as const)
      set({ state }, states.get(state)?.length ?? 0)
  })
  createGauge(
    registers,
    "flagstone_key_expiry_timestamp_seconds",
    "When each active key expires; keys that never expire are left out.",
    ["key_id", "environment"],
    (set) => {
      for (const record of state.keyring.records)
        if (record.expiresAt !== undefined && keyState(record, now()) === "active")
          set({ key_id: record.id, environment: record.environment }, record.expiresAt / 1000)
    },
  )
}

function createEventMetrics(
  registers: Registry[],
  parts: MetricsParts,
): Pick<Metrics, "observeEvent" | "observeRefusal"> {
  createGauge(registers, "flagstone_event_streams", "Clients that listen to events.", [], (set) =>
    set({}, parts.eventStreams()),
  )
  const sent = new Counter({
    name: "flagstone_events_sent_total",
    help: "Change events sent to clients, without repeats.",
    registers,
  })
  const refused = new Counter({
    name: "flagstone_event_streams_refused_total",
    help: "Event streams refused for lack of room.",
    registers,
  })
  const delays = new Histogram({
    name: "flagstone_event_delay_seconds",
    help: "Time from a new document to the event that announces it to a client.",
    buckets: [0.01, 0.05, 0.1, 0.25, 0.5, 1, 1.5, 2, 2.5, 5],
    registers,
  })
  return {
    observeEvent(delay) {
      sent.inc()
      if (delay !== undefined) delays.observe(delay / 1000)
    },
    observeRefusal: () => refused.inc(),
  }
}

/** The metrics of the store through which proxies share their limits. */
function createStoreMetrics(registers: Registry[], shared: SharedStore): void {
  new Gauge({
    name: "flagstone_rate_limit_store_up",
    help: "1 while limits are shared; 0 while the store is down and this proxy uses local buckets.",
    registers,
    collect() {
      this.set(shared.fault() === undefined ? 1 : 0)
    },
  })
  new Counter({
    name: "flagstone_rate_limit_decisions_total",
    help: "Requests with a key, by what decided them: the store's response, an earlier refusal that still applies, or a local bucket.",
    labelNames: ["source"],
    registers,
    collect() {
      this.reset()
      for (const [source, count] of Object.entries(shared.decisions)) this.inc({ source }, count)
    },
  })
  const durations = new Histogram({
    name: "flagstone_rate_limit_store_duration_seconds",
    help: "Time from a call to the store to its response.",
    buckets: [0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 1],
    registers,
  })
  shared.onAnswer((milliseconds) => durations.observe(milliseconds / 1000))
}
