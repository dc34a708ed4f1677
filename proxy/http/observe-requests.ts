import type { H3Event, Middleware } from "h3"
import type { Observe } from "./event-context.ts"

/** What observing a request needs. */
export interface ObserveParts {
  /** Monotonic clock, in milliseconds. */
  readonly monotonicNow: () => number
  readonly clientAddress: (event: H3Event) => string | undefined
}

/** Middleware that has `observe` called with what the steps of a request found out when its answer has ended. */
export function observeRequests(observe: Observe, { monotonicNow, clientAddress }: ObserveParts): Middleware {
  return (event, next) => {
    const res = event.runtime?.node?.res
    const start = monotonicNow()
    const address = clientAddress(event) // which is lost after a hang-up
    const { context } = event
    res?.once("close", () =>
      observe({
        route: context.matchedRoute?.meta?.route ?? "other",
        keyId: context.keyId,
        denial: context.denial,
        method: event.req.method,
        status: res.headersSent ? res.statusCode : 499,
        duration: monotonicNow() - start,
        isCut: !res.writableFinished,
        address,
      }),
    )
    return next()
  }
}
