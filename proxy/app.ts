import { H3Core, type H3Event } from "h3"
import { flagsPath, livezPath, readyzPath } from "./contract/http.ts"
import type { Route } from "./exchange.ts"
import { answerFlags, type FlagsRouteParts, type LookUp } from "./flags-route.ts"
import type { Cors } from "./http/cors.ts"
import {
  type ProxyRequest,
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
  fetch(request: ProxyRequest): Response | Promise<Response>
}

/**
 * The route table. It is written out instead of registered: a router's parameter route would cost more than the rest
 * of the answer, and its 404 would come before the 405.
 */
export function createApp(parts: AppParts): App {
  const app = new H3Core({
    silent: true,
    allowMalformedURL: true, // a flag key that cannot be decoded is a flag that does not exist
    onError(error, { req }) {
      parts.onFailure(error.cause ?? error)
      return respondInternalError({ request: req, cors: parts.cors.pairsFor(req.headers.get("origin")) })
    },
  })
  app.handler = (event) => route(event, parts)
  return app
}

function route({ req, url: { pathname } }: H3Event, parts: AppParts): Response {
  const { exchange } = req as ProxyRequest
  if (exchange !== undefined) exchange.route = routeOf(pathname)
  if (pathname === flagsPath) return flags(req, parts, (snapshot) => snapshot.list)
  if (pathname.startsWith(flagPrefix)) {
    const key = decodeKey(pathname.slice(flagPrefix.length))
    return flags(req, parts, (snapshot) => (key === undefined ? undefined : snapshot.flag(key)))
  }
  const reply: Reply = { request: req, cors: [] }
  if (pathname === livezPath) return isRead(req) ? respondHealth(reply, true) : respondMethodNotAllowed(reply)
  if (pathname === readyzPath)
    return isRead(req) ? respondHealth(reply, parts.isReady()) : respondMethodNotAllowed(reply)
  return respondNotFound(reply)
}

function flags(request: ProxyRequest, parts: AppParts, lookUp: LookUp): Response {
  const reply: Reply = { request, cors: parts.cors.pairsFor(request.headers.get("origin")) }
  if (isRead(request)) return answerFlags(reply, lookUp, parts)
  const preflight = request.method === "OPTIONS" ? parts.cors.preflight(request) : undefined
  return preflight === undefined ? respondMethodNotAllowed(reply) : respondPreflight(preflight)
}

function isRead({ method }: Request): boolean {
  return method === "GET" || method === "HEAD"
}

function routeOf(pathname: string): Route {
  if (pathname.startsWith(flagPrefix)) return "/v1/flags/{key}"
  return pathname === flagsPath || pathname === livezPath || pathname === readyzPath ? pathname : "other"
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
