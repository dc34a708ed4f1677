import type { Writable } from "node:stream"
import { H3Core } from "h3"
import { FastResponse } from "srvx"
import type { ProxyRequest } from "./exchange.ts"
import type { RawHeaders } from "./headers.ts"

// h3 is used to catch what a handler throws and to let it return a `Response`; Node reads requests and writes answers.
// With h3's events, and srvx's requests and answers, a list, a 304 and one flag would cost 1.2 to 1.3 times the CPU,
// and `HEAD` would have its headers in a different order.

/** All HTTP handling as one function, which also runs without a server. */
export interface App {
  fetch(request: ProxyRequest): Answer | Promise<Answer>
}

/** `handleError` answers if `handle` throws. */
export function createH3App(
  handle: (request: ProxyRequest) => Answer | Promise<Answer>,
  handleError: (error: unknown, request: ProxyRequest) => Answer,
): App {
  const app = new H3Core({
    silent: true,
    onError: (error, { req }) => handleError(error.cause ?? error, (req as unknown as Shown).request),
  })
  app.handler = ({ req }) => handle((req as unknown as Shown).request)
  const fetch = app.fetch as unknown as (shown: Shown) => Answer | Promise<Answer>
  return { fetch: (request) => fetch({ url: "/", _url: shownUrl, request, context: noContext }) }
}

/**
 * The part of a request that h3 sees. h3 itself would decode and resolve the path: `/v1/flags/%2e%2e/%2e%2e/livez`
 * would become a route that a cache or a log in front of the proxy did not see.
 */
interface Shown {
  readonly url: "/"
  /** Keeps h3 from creating a URL for each request. */
  readonly _url: URL
  readonly request: ProxyRequest
  context: object
}

const noContext = Object.freeze({})
const shownUrl = new URL("http://localhost/")

/**
 * A response whose parts a server can write as they are. For other users it is a `Response` that creates its body and
 * headers when they are read.
 */
export class Answer extends FastResponse {
  readonly rawHeaders: RawHeaders
  /** Bytes that many answers share, or one answer's text. */
  readonly rawBody: Buffer | string | null
  /** Writes and ends a body that is not complete yet; `undefined`: `rawBody` is the whole body. */
  readonly stream: Stream | undefined

  constructor(
    status: number,
    statusText: string,
    rawBody: Buffer | string | null,
    rawHeaders: RawHeaders,
    stream?: Stream,
  ) {
    super(rawBody as Buffer<ArrayBuffer> | null, new AnswerInit(status, statusText, rawHeaders))
    this.rawHeaders = rawHeaders
    this.rawBody = rawBody
    this.stream = stream
  }
}

/** Called once, with the stream that receives the body. */
export type Stream = (sink: Writable) => void

class AnswerInit {
  readonly status: number
  readonly statusText: string
  readonly #rawHeaders: RawHeaders

  constructor(status: number, statusText: string, rawHeaders: RawHeaders) {
    this.status = status
    this.statusText = statusText
    this.#rawHeaders = rawHeaders
  }

  get headers(): [string, string][] {
    const names = this.#rawHeaders.filter((_, index) => index % 2 === 0)
    return names.map((name, index) => [name, this.#rawHeaders[2 * index + 1] ?? ""])
  }
}
