import { Counter, Histogram, type Registry } from "prom-client"
import type { Observation, Observe } from "../http/event-context.ts"
import type { ProxyState } from "../proxy-state.ts"

/** Counts each request when its answer has ended. */
export function createRequestMetrics(registers: Registry[], state: ProxyState): Observe {
  const requests = new Counter({
    name: "flagstone_requests_total",
    help: "Requests by route template, method and status.",
    labelNames: ["route", "method", "status"],
    registers,
  })
  const durations = new Histogram({
    name: "flagstone_request_duration_seconds",
    help: "Time from the head of a request to the last byte of its response.",
    labelNames: ["route"],
    buckets: [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5],
    registers,
  })
  const cuts = new Counter({
    name: "flagstone_cut_answers_total",
    help: "Responses cut short because the client went away or was too slow.",
    registers,
  })
  const denials = new Counter({
    name: "flagstone_auth_failures_total",
    help: "Failed authentications by reason.",
    labelNames: ["reason"],
    registers,
  })
  const strangers = new Counter({
    name: "flagstone_strangers_limited_total",
    help: "Failed authentications refused with 429 because their IP address failed too often.",
    registers,
  })
  const limited = new Counter({
    name: "flagstone_rate_limited_total",
    help: "Requests refused because their key's bucket was empty.",
    labelNames: ["key_id"],
    registers,
    collect() {
      forgetOthers(this, limitedKeys, new Set(state.keyring.records.map(({ id }) => id)))
    },
  })
  const limitedKeys = new Set<string>()

  return ({ route, method, status, duration, isCut, denial, keyId }: Observation) => {
    requests.inc({ route, method: knownMethods.has(method) ? method : "other", status })
    if (!route.endsWith("/events")) {
      // A stream lasts until the client goes away, or longer than any answer.
      durations.observe({ route }, duration / 1000)
      if (isCut) cuts.inc()
    }
    if (denial !== undefined) denials.inc({ reason: denial })
    if (status !== 429) return
    if (keyId === undefined) strangers.inc()
    else {
      limitedKeys.add(keyId)
      limited.inc({ key_id: keyId })
    }
  }
}

/** Clients choose the method, so all other methods count as one. */
const knownMethods = new Set(["GET", "HEAD", "OPTIONS", "POST"])

/** Ends the series of keys that are no longer in the file: otherwise they would add up over years of reloads. */
function forgetOthers(counter: Counter<"key_id">, held: Set<string>, ids: ReadonlySet<string>): void {
  for (const id of held) {
    if (ids.has(id)) continue
    held.delete(id)
    counter.remove({ key_id: id })
  }
}
