import type { IncomingMessage, ServerResponse } from "node:http"
import { createExchange, type Exchange, type Observe, oneLine } from "./exchange.ts"

/** What observing a request needs. */
export interface ObserveParts {
  /** Monotonic clock, in milliseconds. */
  readonly monotonicNow: () => number
  /** The client's address, from the peer's and `X-Forwarded-For`. */
  readonly addressOf: (peer: string | undefined, forwardedFor: string | undefined) => string | undefined
}

/** Creates a request's exchange; `observe` gets what the steps wrote into it when the answer has ended. */
export function observeRequest(
  { method = "", socket, headers }: IncomingMessage,
  res: ServerResponse,
  observe: Observe,
  { monotonicNow, addressOf }: ObserveParts,
): Exchange {
  const exchange = createExchange()
  const start = monotonicNow()
  const address = addressOf(socket.remoteAddress, oneLine(headers["x-forwarded-for"]))
  res.once("close", () =>
    observe({
      ...exchange,
      method,
      status: res.headersSent ? res.statusCode : 499,
      duration: monotonicNow() - start,
      isCut: !res.writableFinished,
      address,
    }),
  )
  return exchange
}
