import { allowedMethods, eventsPath, flagsPath, livezPath, readyzPath } from "./contract/http.ts"
import { documentEvents, type Events } from "./events/events.ts"
import { answerFlags, type FlagsRouteParts, type LookUp, type Respond } from "./flags-route.ts"
import type { AllowedByCors, Cors } from "./http/cors.ts"
import { decodeKey } from "./http/decode-key.ts"
import type { ProxyRequest, Route } from "./http/exchange.ts"
import { type Answer, type App, createH3App } from "./http/h3-app.ts"
import {
  type Page,
  type Reply,
  respondHealth,
  respondInternalError,
  respondMethodNotAllowed,
  respondNotFound,
  respondPage,
  respondPreflight,
} from "./http/respond.ts"
import type { Ofrep } from "./ofrep/ofrep.ts"

/** What the routes need. */
export interface AppParts extends FlagsRouteParts {
  readonly cors: Cors
  /** Evaluation over HTTP; `undefined`: its paths are not routes. */
  readonly ofrep?: Ofrep | undefined
  /** Streams of events; `undefined`: their paths are not routes. */
  readonly events?: Events | undefined
  /** Whether a load balancer should send requests here. */
  readonly isReady: () => boolean
  /** The page for a path that is not a route, if there is one. */
  readonly pageFor?: ((request: ProxyRequest) => Page | undefined | Promise<Page | undefined>) | undefined
  /** Called with an unexpected error before the client gets a 500. */
  readonly onFailure: (error: unknown) => void
}

/**
 * The route table, without OFREP's two routes. Routes are written out instead of registered: a router's parameter route
 * would cost more than the rest of the answer, and its 404 would come before the 405.
 */
export function createApp(parts: AppParts): App {
  return createH3App(
    (request) => route(request, parts),
    (error, request) => {
      parts.onFailure(error)
      const answer = parts.ofrep?.answerFailure(request)
      return answer ?? respondInternalError({ request, cors: parts.cors.headersFor(request.headers.origin) })
    },
  )
}

function route(request: ProxyRequest, parts: AppParts): Answer | Promise<Answer> {
  const { exchange, path } = request
  exchange.route = routeOf(path)
  if (path === flagsPath) return flags(request, parts, (snapshot) => snapshot.list)
  if (path.startsWith(flagPrefix)) {
    const key = decodeKey(path.slice(flagPrefix.length))
    return flags(request, parts, (snapshot) => (key === undefined ? undefined : snapshot.flag(key)))
  }
  const { events } = parts
  if (path === eventsPath && events !== undefined)
    return flags(
      request,
      parts,
      (snapshot) => snapshot.list,
      (reply, _, allowance, record) => events.answer(reply, allowance, record, documentEvents),
    )
  const evaluated = parts.ofrep?.answer(request)
  if (evaluated !== undefined) return evaluated
  const reply: Reply = { request, cors: [] }
  if (path === livezPath) return isRead(request) ? respondHealth(reply, true) : respondMethodNotAllowed(reply)
  if (path === readyzPath)
    return isRead(request) ? respondHealth(reply, parts.isReady()) : respondMethodNotAllowed(reply)
  const page = parts.pageFor?.(request)
  return page instanceof Promise ? page.then((made) => answerPage(reply, made)) : answerPage(reply, page)
}

function answerPage(reply: Reply, page: Page | undefined): Answer {
  if (page === undefined) return respondNotFound(reply)
  return isRead(reply.request) ? respondPage(reply, page) : respondMethodNotAllowed(reply)
}

function flags(
  request: ProxyRequest,
  parts: AppParts,
  lookUp: LookUp,
  respond?: Respond,
): Answer | Promise<Answer> {
  const reply: Reply = { request, cors: parts.cors.headersFor(request.headers.origin) }
  if (isRead(request)) return answerFlags(reply, lookUp, parts, respond)
  const preflight = request.method === "OPTIONS" ? parts.cors.preflight(request, allowed) : undefined
  return preflight === undefined ? respondMethodNotAllowed(reply) : respondPreflight(preflight)
}

function isRead({ method }: ProxyRequest): boolean {
  return method === "GET" || method === "HEAD"
}

function routeOf(path: string): Route {
  if (path.startsWith(flagPrefix)) return "/v1/flags/{key}"
  return path === flagsPath || path === eventsPath || path === livezPath || path === readyzPath
    ? path
    : "other"
}

const flagPrefix = `${flagsPath}/`

const allowed: AllowedByCors = {
  methods: allowedMethods,
  headers: "Authorization, If-None-Match, Last-Event-ID",
}
