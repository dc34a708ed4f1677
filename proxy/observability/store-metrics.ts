import { Counter, Gauge, Histogram, type Registry } from "prom-client"
import type { SharedStore } from "../rate-limit/shared-store.ts"

/** The metrics of the store through which proxies share their limits. */
export function createStoreMetrics(registers: Registry[], shared: SharedStore): void {
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
    help: "Requests with a key, by what decided them: the store's answer, an earlier refusal that still applies, or a local bucket.",
    labelNames: ["source"],
    registers,
    collect() {
      this.reset()
      for (const [source, count] of Object.entries(shared.decisions)) this.inc({ source }, count)
    },
  })
  const durations = new Histogram({
    name: "flagstone_rate_limit_store_duration_seconds",
    help: "Time from a call to the store to its answer.",
    buckets: [0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 1],
    registers,
  })
  shared.onAnswer((milliseconds) => durations.observe(milliseconds / 1000))
}
