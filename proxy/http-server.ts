import {
  createServer,
  type IncomingMessage,
  type Server,
  type ServerOptions,
  type ServerResponse,
} from "node:http"
import type { Socket } from "node:net"
import type { Duplex } from "node:stream"
import type { H3 } from "h3"
import type { ServerRequest } from "srvx"
import { NodeRequest } from "srvx/node"
import { type HttpError, httpErrors } from "./contract/http.ts"
import type { Observation, Observe } from "./http/event-context.ts"
import { formatRawError, preparedErrors } from "./http/respond.ts"
import { send } from "./http/send.ts"
import { isWellFormed, routedTarget } from "./http/target.ts"

/** How long a connection may take for each step, in milliseconds. */
export interface HttpTimeouts {
  /** Between an answer and the next request. */
  readonly keepAlive: number
  /** For the head of a request. */
  readonly headers: number
  /** For a whole request. */
  readonly request: number
  /** Without any data, while an answer is under way. */
  readonly silence: number
  /** How often these limits are checked for requests under way. */
  readonly check: number
}

/** What the server needs from its owner. */
export interface HttpServerOptions {
  /** While true, every answer ends its connection, so that clients move to another proxy. */
  readonly isDraining: () => boolean
  /** Called for each answer that could not be sent. */
  readonly onFailure: (error: unknown) => void
  /** Called for each request that the app does not get, because it is no HTTP. */
  readonly observe?: Observe | undefined
  readonly timeouts?: HttpTimeouts | undefined
  /** Further connections are closed without an answer; an idle one costs about 20 KB. */
  readonly maxConnections?: number | undefined
}

/**
 * A server for `app` with all limits set. After the answer Node discards the unread rest of a body, so the next request
 * on the connection is found where it begins.
 */
export function createHttpServer(app: Pick<H3, "fetch">, options: HttpServerOptions): Server {
  const { isDraining, onFailure, observe = () => {}, timeouts = defaultTimeouts } = options
  /** What fails here would otherwise be uncaught. */
  const fail = (res: ServerResponse, error: unknown): void => {
    onFailure(error)
    res.destroy()
  }
  const answer = (req: IncomingMessage, res: ServerResponse): void => {
    try {
      const request: ServerRequest = new NodeRequest({ req, res })
      const routed = routedTarget(req.url ?? "/")
      if (routed !== undefined) {
        req.url = routed.target
        request.context = { path: routed.path }
      }
      const response = app.fetch(request)
      const sent =
        response instanceof Promise ? response.then((made) => send(res, made)) : send(res, response)
      sent?.catch((error) => fail(res, error))
    } catch (error) {
      fail(res, error)
    }
  }
  const handle = (req: IncomingMessage, res: ServerResponse): void => {
    const isValid = isWellFormed(req)
    if (isDraining() || !isValid) res.shouldKeepAlive = false
    if (isValid) return void answer(req, res)
    const { status, statusText, headers, body } = preparedErrors.badRequest
    const method = req.method ?? "other"
    const address = req.socket.remoteAddress
    res.once("close", () => observe({ ...unread, method, status, address, isCut: !res.writableFinished }))
    res.writeHead(status, statusText, headers.flat()).end(body)
  }
  const refuseWith = (socket: Duplex, error: keyof typeof httpErrors): void => {
    const address = (socket as Socket).remoteAddress
    if (refuse(socket, error)) observe({ ...unread, status: httpErrors[error].status, address })
  }

  const server = createServer(settings(timeouts), handle)
  server.timeout = timeouts.silence
  server.maxConnections = options.maxConnections ?? defaultMaxConnections
  // Read the address once per connection: Node caches it, all sockets keep one hidden class, and it is lost after a
  // hang-up.
  server.on("connection", (socket) => void socket.remoteAddress)
  server.on("clientError", (error: NodeJS.ErrnoException, socket) => refuseWith(socket, errorOf(error.code)))
  server.on("connect", (_req, socket) => refuseWith(socket, "methodNotAllowed"))
  // RFC 9110, 10.1.1: the final answer may be sent immediately. It is then unknown whether the body follows, so the
  // connection must end, unless a route reads the body and thereby asks for it.
  server.on("checkContinue", (req, res) => {
    const { shouldKeepAlive } = res
    res.shouldKeepAlive = false
    req.once("resume", () => {
      if (res.headersSent) return // Node discards the unread body
      res.writeContinue()
      res.shouldKeepAlive = shouldKeepAlive && !isDraining()
    })
    handle(req, res)
  })
  server.on("checkExpectation", handle)
  return server
}

/** Keep-alive is longer than the 60 s after which load balancers close idle connections. */
const defaultTimeouts: HttpTimeouts = {
  keepAlive: 75_000,
  headers: 10_000,
  request: 30_000,
  silence: 60_000,
  check: 1_000,
}

/** About 200 MB of idle connections. */
export const defaultMaxConnections = 10_000

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

/** The observation for a request that could not be read. */
const unread: Omit<Observation, "status" | "address"> = {
  route: "other",
  keyId: undefined,
  denial: undefined,
  method: "other",
  duration: 0,
  isCut: true,
}

/** The client's error for a code of the HTTP parser or the server. */
function errorOf(code: string | undefined): keyof typeof httpErrors {
  if (code === "HPE_HEADER_OVERFLOW") return "headersTooLarge"
  if (code === "ERR_HTTP_REQUEST_TIMEOUT") return "requestTimeout"
  return "badRequest"
}

/** Answers a client whose request could not be read, and ends the connection; false if the client is gone. */
function refuse(socket: Duplex, error: keyof typeof httpErrors): boolean {
  const { writable } = socket
  if (writable) socket.end(rawErrors[error], () => socket.destroy())
  else socket.destroy()
  return writable
}

const rawErrors = Object.fromEntries(
  Object.entries<HttpError>(httpErrors).map(([name, error]) => [name, formatRawError(error)]),
) as Readonly<Record<keyof typeof httpErrors, Buffer>>
