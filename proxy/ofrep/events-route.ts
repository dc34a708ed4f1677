import { evaluateEventsPath } from "../contract/http.ts"
import type { KeyRecord } from "../contract/key-record.ts"
import type { EventKind, Events } from "../events/events.ts"
import type { Tickets } from "../events/tickets.ts"
import { addressBlock } from "../http/client-address.ts"
import type { Denial } from "../http/event-context.ts"
import type { Handler } from "../http/read-route.ts"
import { respondError, respondTooManyRequests } from "../http/respond.ts"
import { denialOf, noteDenial } from "../keys/authenticate.ts"
import { streamBuckets } from "../rate-limit/stream-buckets.ts"
import type { EvaluateRouteParts } from "./evaluate-route.ts"

/** Event streams for pages, whose `EventSource` cannot send a key: their address contains a ticket. */
export interface OfrepEvents {
  readonly events: Events
  readonly tickets: Tickets
}

/**
 * The bulk answer's `eventStreams`. The address contains the tag of the flags that the client gets, so that it misses
 * no change before it listens.
 */
export function formatEventStreams(ticket: string, tag: string): string {
  const requestUri = `${evaluateEventsPath}?ticket=${ticket}&seen=${tag}`
  return JSON.stringify([{ type: "sse", endpoint: { requestUri }, inactivityDelaySec: 120 }])
}

/** Answers with a stream if the ticket is valid, else with 401, after which clients ask for the flags and get a new ticket. */
export function createEventsRoute(parts: EvaluateRouteParts, { events, tickets }: OfrepEvents): Handler {
  function findRecord(ticket: string | null): KeyRecord | Denial {
    if (ticket === null) return "missing"
    const record = tickets.verify(ticket, parts.now(), parts.keyring().findById)
    return record === undefined ? "ticket" : (denialOf(record, "evaluate", parts.now()) ?? record)
  }

  const limits = streamBuckets(parts.evaluateLimits)
  return (event) => {
    const query = event.url.searchParams
    const record = findRecord(query.get("ticket"))
    if (typeof record === "string") {
      const allowance = noteDenial(event, record, parts)
      return allowance.kind === "exhausted"
        ? respondTooManyRequests(event, allowance)
        : respondError(event, "unauthorized")
    }
    event.context.keyId = record.id
    const address = addressBlock(parts.clientAddress(event))
    const bucket = record.rateLimit ?? parts.evaluateBucket
    const allowance = limits.take(`${record.id} ${address}`, bucket, parts.monotonicNow())
    if (allowance.kind === "exhausted") return respondTooManyRequests(event, allowance)
    return events.answer(event, allowance, record, evaluationEvents, query.get("seen") ?? undefined)
  }
}

/** Changes of evaluations. Pages have keys that everyone can read, so a tenth of all streams is reserved for servers. */
const evaluationEvents: EventKind = {
  use: "evaluate",
  share: 0.9,
  // 20 hours: when a stream ends, OpenFeature's provider is stale until its context changes. Hidden pages end theirs.
  lifetime: 72_000_000,
  // OpenFeature's provider gives up after 30 s and asks for the flags again. After a 503 it would do that every second.
  comeBack: 60_000,
  tagOf: ({ evaluations }, { flags }) => evaluations?.only(flags).tag,
  format: (tag) => `data: ${JSON.stringify({ type: "refetchEvaluation", etag: `"${tag}"` })}`,
}
