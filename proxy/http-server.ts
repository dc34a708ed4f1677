import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http"
import type { Duplex } from "node:stream"
import { FastURL } from "srvx"
import { type FastResponse, NodeRequest } from "srvx/node"
import type { App } from "./app.ts"
import { type HttpError, httpErrors } from "./contract/http.ts"
import { formatRawError, respondBadRequest, respondInternalError } from "./respond.ts"

/** What the server asks and tells its owner. */
export interface HttpServerOptions {
  /** While true every answer ends its connection, so that clients find another proxy. */
  readonly isDraining: () => boolean
  readonly onFailure: (error: unknown) => void
}

/**
 * A server for `app` with every limit set by us. Bodies are never read: Node throws them away behind the answer, so the
 * next request on the connection is found where it begins.
 */
export function createHttpServer(app: App, { isDraining, onFailure }: HttpServerOptions): Server {
  const answer = (req: IncomingMessage, res: ServerResponse): void => {
    const request = createRequest(req, res)
    const fail = (error: unknown): void => {
      onFailure(error)
      if (res.headersSent) res.destroy()
      else sendResponse(res, respondInternalError({ request, cors: [] }))
    }

    const isLawful = hasHost(req)
    if (isDraining() || !isLawful) res.shouldKeepAlive = false
    try {
      const response = isLawful ? app.fetch(request) : respondBadRequest({ request, cors: [] })
      if (response instanceof Promise) response.then((late) => sendResponse(res, late)).catch(fail)
      else sendResponse(res, response)
    } catch (error) {
      fail(error)
    }
  }

  const server = createServer(limits, answer)
  server.timeout = silence
  server.on("clientError", (error: NodeJS.ErrnoException, socket) => refuse(socket, errorOf(error.code)))
  server.on("connect", (_req, socket) => refuse(socket, "methodNotAllowed"))
  // RFC 9110, 10.1.1: the final answer may come at once. Whether the body follows is then unknown, so nothing else may.
  server.on("checkContinue", (req, res) => {
    res.shouldKeepAlive = false
    answer(req, res)
  })
  server.on("checkExpectation", answer)
  return server
}

/** Milliseconds, except the header size in bytes. Keep-alive outlives the 60 s after which load balancers give up. */
const limits = {
  keepAliveTimeout: 75_000,
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  connectionsCheckingInterval: 1_000,
  maxHeaderSize: 16 * 1024,
  requireHostHeader: false,
}

/** A connection on which nothing moves for so many milliseconds while an answer is under way is cut. */
const silence = 60_000

/** RFC 9112, 3.2: 400 without it. Node's own check answers without a body. */
function hasHost({ headers, httpVersionMinor }: IncomingMessage): boolean {
  return headers.host !== undefined || httpVersionMinor === 0
}

/**
 * The request, with a URL made of its target alone: nothing here depends on the host, and `Host: 999.9.9.9`, which no
 * URL parser takes, would throw before any handler runs.
 */
function createRequest(req: IncomingMessage, res: ServerResponse): Request {
  const request = new NodeRequest({ req, res })
  request._url = new FastURL(pathOf(req.url ?? "/"))
  return request
}

/** The path of an origin-form or absolute-form target (RFC 9112, 3.2); `/` for what has none. */
function pathOf(target: string): string {
  const isOrigin = target.startsWith("/")
  const start = isOrigin ? 0 : target.indexOf("/", target.indexOf("://") + 3)
  const query = target.indexOf("?")
  if (start < 0 || (query >= 0 && query < start)) return "/"
  return query < 0 ? target.slice(start) : target.slice(start, query)
}

/**
 * Writes a response in a single `end`: srvx writes twice, for a tenth of the throughput. `respond.ts` makes all of
 * them, so a body is bytes or nothing.
 */
function sendResponse(res: ServerResponse, response: Response): void {
  const { status, statusText, headers, body } = (response as FastResponse)._toNodeResponse()
  res.writeHead(status, statusText, headers)
  if (body instanceof Uint8Array) res.end(body)
  else res.end()
}

/** What the HTTP parser's and the server's own error codes mean to a client. */
function errorOf(code: string | undefined): keyof typeof httpErrors {
  if (code === "HPE_HEADER_OVERFLOW") return "headersTooLarge"
  if (code === "ERR_HTTP_REQUEST_TIMEOUT") return "requestTimeout"
  return "badRequest"
}

/** Answers where there is no request to answer, and ends the connection. */
function refuse(socket: Duplex, error: keyof typeof httpErrors): void {
  if (socket.writable) socket.end(rawErrors[error], () => socket.destroy())
}

const rawErrors = Object.fromEntries(
  Object.entries<HttpError>(httpErrors).map(([name, error]) => [name, formatRawError(error)]),
) as Readonly<Record<keyof typeof httpErrors, Buffer>>
