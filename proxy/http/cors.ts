import type { ProxyRequest } from "./exchange.ts"
import type { RawHeaders } from "./headers.ts"

/** Which web pages may read the answers. */
export interface Cors {
  /** The extra headers of an answer to a request with this `Origin`; none if CORS is off. */
  headersFor(origin: string | undefined): RawHeaders
  /** The headers of the answer to a preflight (Fetch, 3.2.2); `undefined` for other requests, and if it is not allowed. */
  preflight(request: ProxyRequest, allowed: AllowedByCors): RawHeaders | undefined
}

/** What a page may send. Headers are named, because `*` does not cover `Authorization`. */
export interface AllowedByCors {
  readonly methods: string
  readonly headers: string
}

/**
 * Origins as browsers send them (`https://shop.example`); `"*"` is any origin, `"loopback"` any port of the browser's
 * own machine; an empty list turns CORS off.
 */
export function createCors(origins: readonly string[]): Cors {
  const everyone = origins.includes("*")
  const allowed = new Map(origins.map((origin) => [origin, answerHeaders(origin)]))
  const admitsLoopback = origins.includes("loopback")
  const otherwise = everyone ? answerHeaders("*") : origins.length > 0 ? varyOrigin : []

  const allowedHeaders = (origin: string): RawHeaders | undefined =>
    allowed.get(origin) ?? (admitsLoopback && loopbackOrigin.test(origin) ? answerHeaders(origin) : undefined)
  const headersFor = (origin: string | undefined): RawHeaders =>
    everyone || origin === undefined ? otherwise : (allowedHeaders(origin) ?? otherwise)

  return {
    headersFor,
    preflight({ headers }, allowed) {
      const { origin } = headers
      if (origin === undefined || headers["access-control-request-method"] === undefined) return undefined
      return everyone || allowedHeaders(origin) !== undefined
        ? [...headersFor(origin), ...preflightHeaders(allowed)]
        : undefined
    },
  }
}

const loopbackOrigin = /^https?:\/\/(localhost|127\.0\.0\.1|\[::1\])(:\d{1,5})?$/

/** Without credentials mode: the key is in a header that the page sets itself, so `*` reveals nothing. */
function answerHeaders(origin: string): RawHeaders {
  const exposed = "ETag, Retry-After, X-RateLimit-Limit, X-RateLimit-Remaining"
  const headers = ["access-control-allow-origin", origin, "access-control-expose-headers", exposed]
  return origin === "*" ? headers : [...headers, ...varyOrigin]
}

const varyOrigin: RawHeaders = ["vary", "Origin"]

function preflightHeaders({ methods, headers }: AllowedByCors): RawHeaders {
  return [
    ...["access-control-allow-methods", methods],
    ...["access-control-allow-headers", headers],
    ...["access-control-max-age", "7200"],
    ...["vary", "Access-Control-Request-Method, Access-Control-Request-Headers"],
  ]
}
