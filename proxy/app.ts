import { H3Core } from "h3"
import { flagsPath, livezPath, readyzPath } from "./contract/http.ts"
import { answerFlags, type FlagsRouteParts, type LookUp } from "./flags-route.ts"
import type { Cors } from "./http/cors.ts"
import type { ProxyRequest, Route } from "./http/exchange.ts"
import {
  type Answer,
  type Reply,
  respondHealth,
  respondInternalError,
  respondMethodNotAllowed,
  respondNotFound,
  respondPreflight,
} from "./respond.ts"

/** What the routes need. */
export interface AppParts extends FlagsRouteParts {
  readonly cors: Cors
  /** Whether a load balancer should send requests here. */
  readonly isReady: () => boolean
  /** Is told of what no handler expected, before the client is told 500. */
  readonly onFailure: (error: unknown) => void
}

/** The whole of HTTP as a function; what runs in a server runs in memory too. */
export interface App {
  fetch(request: ProxyRequest): Answer | Promise<Answer>
}

/**
 * The route table. It is written out instead of registered: a router's parameter route would cost more than the rest
 * of the answer, and its 404 would come before the 405.
 */
export function createApp(parts: AppParts): App {
  const app = new H3Core({
    silent: true,
    onError(error, { req }) {
      parts.onFailure(error.cause ?? error)
      const { request } = req as unknown as Shown
      return respondInternalError({ request, cors: parts.cors.headersFor(request.headers.origin) })
    },
  })
  app.handler = ({ req }) => route((req as unknown as Shown).request, parts)
  const fetch = app.fetch as unknown as (shown: Shown) => Answer | Promise<Answer>
  return { fetch: (request) => fetch({ url: "/", _url: shownUrl, request, context: noContext }) }
}

/**
 * What h3 sees of a request. It decodes and resolves the path of what it is given, by which
 * `/v1/flags/%2e%2e/%2e%2e/livez` would be another route than the one that a cache or a log before us saw.
 */
interface Shown {
  readonly url: "/"
  /** By which h3 need not make a URL for each request. */
  readonly _url: URL
  readonly request: ProxyRequest
  context: object
}

const noContext = Object.freeze({})
const shownUrl = new URL("http://localhost/")

function route(request: ProxyRequest, parts: AppParts): Answer {
  const { exchange, path } = request
  if (exchange !== undefined) exchange.route = routeOf(path)
  if (path === flagsPath) return flags(request, parts, (snapshot) => snapshot.list)
  if (path.startsWith(flagPrefix)) {
    const key = decodeKey(path.slice(flagPrefix.length))
    return flags(request, parts, (snapshot) => (key === undefined ? undefined : snapshot.flag(key)))
  }
  const reply: Reply = { request, cors: [] }
  if (path === livezPath) return isRead(request) ? respondHealth(reply, true) : respondMethodNotAllowed(reply)
  if (path === readyzPath)
    return isRead(request) ? respondHealth(reply, parts.isReady()) : respondMethodNotAllowed(reply)
  return respondNotFound(reply)
}

function flags(request: ProxyRequest, parts: AppParts, lookUp: LookUp): Answer {
  const reply: Reply = { request, cors: parts.cors.headersFor(request.headers.origin) }
  if (isRead(request)) return answerFlags(reply, lookUp, parts)
  const preflight = request.method === "OPTIONS" ? parts.cors.preflight(request) : undefined
  return preflight === undefined ? respondMethodNotAllowed(reply) : respondPreflight(preflight)
}

function isRead({ method }: ProxyRequest): boolean {
  return method === "GET" || method === "HEAD"
}

function routeOf(path: string): Route {
  if (path.startsWith(flagPrefix)) return "/v1/flags/{key}"
  return path === flagsPath || path === livezPath || path === readyzPath ? path : "other"
}

/** The rest of the path is the key, slashes and all, so `a%2Fb` and `a/b` are one; decoded once, or `undefined`. */
function decodeKey(encoded: string): string | undefined {
  if (!encoded.includes("%")) return encoded
  try {
    return decodeURIComponent(encoded)
  } catch {
    return undefined
  }
}

const flagPrefix = `${flagsPath}/`
