import {
  createServer,
  type IncomingMessage,
  type Server,
  type ServerOptions,
  type ServerResponse,
} from "node:http"
import type { Duplex } from "node:stream"
import { type HttpError, httpErrors } from "./contract/http.ts"
import {
  createExchange,
  type Exchange,
  type Observe,
  oneLine,
  type ProxyRequest,
  unobserved,
} from "./http/exchange.ts"
import type { Answer, App } from "./http/h3-app.ts"
import { formatRawError, respondBadRequest, respondInternalError } from "./respond.ts"

// Longer than most files: every limit of a connection stands in one place, where an operator looks for it.

/** How long a connection may take for each step, in milliseconds. */
export interface HttpTimeouts {
  /** Between an answer and the next request. */
  readonly keepAlive: number
  /** For the head of a request. */
  readonly headers: number
  /** For a whole request. */
  readonly request: number
  /** While an answer is under way and nothing moves. */
  readonly silence: number
  /** How often these limits are checked for requests under way. */
  readonly check: number
}

/** What the server needs from its owner. */
export interface HttpServerOptions {
  /** While true every answer ends its connection, so that clients find another proxy. */
  readonly isDraining: () => boolean
  readonly onFailure: (error: unknown) => void
  /** Milliseconds that never go back. */
  readonly monotonicNow: () => number
  /** Without any, nothing is noted. */
  readonly observers?: readonly Observe[]
  /** The client's address, from the peer's and `X-Forwarded-For`. */
  readonly addressOf: (peer: string | undefined, forwardedFor: string | undefined) => string | undefined
  readonly timeouts?: HttpTimeouts | undefined
  /** One connection more is closed without an answer; an idle one costs some 20 KB. */
  readonly maxConnections?: number | undefined
}

/**
 * A server for `app` with every limit set by us. What a route does not read of a body Node discards after the answer, so
 * the next request on the connection is found where it begins.
 */
export function createHttpServer(app: App, options: HttpServerOptions): Server {
  const { isDraining, onFailure, observers = [], timeouts = defaultTimeouts } = options
  const observe: Observe = (observation) => {
    for (const tell of observers) tell(observation)
  }
  const handle = (req: IncomingMessage, res: ServerResponse): void => {
    const exchange = observers.length > 0 ? observeRequest(req, res, observe, options) : unobserved
    const request = createRequest(req, exchange)
    const fail = (error: unknown): void => {
      onFailure(error)
      if (res.headersSent) res.destroy()
      else sendAnswer(res, respondInternalError({ request, cors: [] }))
    }

    const isValid = hasOneHost(req)
    if (isDraining() || !isValid) res.shouldKeepAlive = false
    try {
      const answer = isValid ? app.fetch(request) : respondBadRequest({ request, cors: [] })
      if (answer instanceof Promise)
        answer
          .then((late) => {
            if (isDraining()) res.shouldKeepAlive = false
            if (!res.destroyed) sendAnswer(res, late) // else the client did not wait
          })
          .catch(fail)
      else sendAnswer(res, answer)
    } catch (error) {
      fail(error)
    }
  }

  const refuseWith = (socket: Duplex, error: keyof typeof httpErrors): void => {
    if (refuse(socket, error)) observe({ ...refused, status: httpErrors[error].status })
  }

  const server = createServer(settings(timeouts), handle)
  server.timeout = timeouts.silence
  server.maxConnections = options.maxConnections ?? defaultMaxConnections
  // Read once per connection: Node caches the address, all sockets keep one hidden class, and it is gone after a hang-up.
  server.on("connection", (socket) => void socket.remoteAddress)
  server.on("clientError", (error: NodeJS.ErrnoException, socket) => refuseWith(socket, errorOf(error.code)))
  server.on("connect", (_req, socket) => refuseWith(socket, "methodNotAllowed"))
  // RFC 9110, 10.1.1: the final answer may come at once. Whether the body follows is then unknown, so nothing else may,
  // unless a route reads the body, which asks for it.
  server.on("checkContinue", (req, res) => {
    const { shouldKeepAlive } = res
    res.shouldKeepAlive = false
    req.once("resume", () => {
      if (res.headersSent) return // Node discards what was not read
      res.writeContinue()
      res.shouldKeepAlive = shouldKeepAlive && !isDraining()
    })
    handle(req, res)
  })
  server.on("checkExpectation", handle)
  return server
}

/** Keep-alive outlives the 60 s after which load balancers give up. */
const defaultTimeouts: HttpTimeouts = {
  keepAlive: 75_000,
  headers: 10_000,
  request: 30_000,
  silence: 60_000,
  check: 1_000,
}

/** Some 200 MB of idle connections. */
const defaultMaxConnections = 10_000

function settings({ keepAlive, headers, request, check }: HttpTimeouts): ServerOptions {
  return {
    keepAliveTimeout: keepAlive,
    headersTimeout: headers,
    requestTimeout: request,
    connectionsCheckingInterval: check,
    maxHeaderSize: 16 * 1024, // bytes
    requireHostHeader: false,
    joinDuplicateHeaders: true, // Node would drop the second of two keys
  }
}

/** What is observed where no request could be read. */
const refused = { ...createExchange(), method: "other", duration: 0, isCut: true, address: undefined }

/** Notes what is found out about a request, and tells it when its answer is over. */
function observeRequest(
  { method = "", socket, headers }: IncomingMessage,
  res: ServerResponse,
  observe: Observe,
  { monotonicNow, addressOf }: HttpServerOptions,
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

/** RFC 9112, 3.2: 400 without it and for two of them. Node's own check answers without a body. */
function hasOneHost({ headers: { host }, httpVersionMinor }: IncomingMessage): boolean {
  return host === undefined ? httpVersionMinor === 0 : !host.includes(",")
}

function createRequest(req: IncomingMessage, exchange: Exchange): ProxyRequest {
  const { method = "", url = "/", headers, socket } = req
  return { method, path: pathOf(url), headers, peer: socket, body: req, exchange }
}

/** The path of an origin-form or absolute-form target (RFC 9112, 3.2); `/` for what has none. */
function pathOf(target: string): string {
  const isOrigin = target.startsWith("/")
  const start = isOrigin ? 0 : target.indexOf("/", target.indexOf("://") + 3)
  const query = target.indexOf("?")
  if (start < 0 || (query >= 0 && query < start)) return "/"
  return query < 0 ? target.slice(start) : target.slice(start, query)
}

/** Writes head and body by a single `end`, so that they leave in one packet where they fit. */
function sendAnswer(res: ServerResponse, { status, statusText, rawHeaders, rawBody }: Answer): void {
  res.writeHead(status, statusText, rawHeaders as string[]) // Node only reads
  if (rawBody === null) res.end()
  else if (typeof rawBody === "string") res.end(rawBody)
  else if (rawBody.length > longestText) res.end(rawBody)
  else res.end(textOf(rawBody), "latin1")
}

/**
 * A small body as text of which each character is a byte: Node writes it in one piece with the headers, which takes a
 * twentieth less of the processor at 2 KB. Bodies are shared by all answers and live as long as their generation.
 */
function textOf(body: Buffer): string {
  const known = texts.get(body)
  if (known !== undefined) return known
  const text = body.toString("latin1")
  texts.set(body, text)
  return text
}

const texts = new WeakMap<Buffer, string>()

/** In bytes; from here on a copy costs as much as a second piece. */
const longestText = 4 * 1024

/** What the HTTP parser's and the server's own error codes mean to a client. */
function errorOf(code: string | undefined): keyof typeof httpErrors {
  if (code === "HPE_HEADER_OVERFLOW") return "headersTooLarge"
  if (code === "ERR_HTTP_REQUEST_TIMEOUT") return "requestTimeout"
  return "badRequest"
}

/** Answers where there is no request to answer, and ends the connection; false where the client is gone. */
function refuse(socket: Duplex, error: keyof typeof httpErrors): boolean {
  const { writable } = socket
  if (writable) socket.end(rawErrors[error], () => socket.destroy())
  else socket.destroy()
  return writable
}

const rawErrors = Object.fromEntries(
  Object.entries<HttpError>(httpErrors).map(([name, error]) => [name, formatRawError(error)]),
) as Readonly<Record<keyof typeof httpErrors, Buffer>>
