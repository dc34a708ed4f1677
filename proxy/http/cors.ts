import type { H3Event, Middleware } from "h3"
import type { HeaderPairs } from "./headers.ts"

/** Which web pages may read the answers. */
export interface Cors {
  /** For the routes that pages may read: finds the extra headers of their answers. Empty if CORS is off. */
  readonly middleware: Middleware[]
  /** The headers of the answer to a preflight (Fetch, 3.2.2), an `OPTIONS`; `undefined`: it is none, or is not allowed. */
  preflight(event: H3Event, allowed: AllowedByCors): HeaderPairs | undefined
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
  const otherwise = everyone ? answerHeaders("*") : varyOrigin

  const allowedHeaders = (origin: string): HeaderPairs | undefined => {
    if (everyone) return otherwise
    return (
      allowed.get(origin) ??
      (admitsLoopback && loopbackOrigin.test(origin) ? answerHeaders(origin) : undefined)
    )
  }

  return {
    middleware:
      origins.length === 0
        ? []
        : [
            ({ req, context }, next) => {
              const origin = req.headers.get("origin")
              context.cors = (origin === null ? undefined : allowedHeaders(origin)) ?? otherwise
              return next()
            },
          ],
    preflight({ req: { headers } }, allowed) {
      const origin = headers.get("origin")
      if (origin === null || !headers.has("access-control-request-method")) return undefined
      return allowedHeaders(origin) && preflightHeaders(allowed)
    },
  }
}

const loopbackOrigin = /^https?:\/\/(localhost|127\.0\.0\.1|\[::1\])(:\d{1,5})?$/

const varyOrigin: HeaderPairs = [["vary", "Origin"]]

/** Without credentials mode: the key is in a header that the page sets itself, so `*` reveals nothing. */
function answerHeaders(origin: string): HeaderPairs {
  const headers: HeaderPairs = [
    ["access-control-allow-origin", origin],
    ["access-control-expose-headers", "ETag, Retry-After, X-RateLimit-Limit, X-RateLimit-Remaining"],
  ]
  return origin === "*" ? headers : [...headers, ...varyOrigin]
}

function preflightHeaders({ methods, headers }: AllowedByCors): HeaderPairs {
  return [
    ["access-control-allow-methods", methods],
    ["access-control-allow-headers", headers],
    ["access-control-max-age", "7200"],
    ["vary", "Access-Control-Request-Method, Access-Control-Request-Headers"],
  ]
}
