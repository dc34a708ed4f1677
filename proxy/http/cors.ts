import type { HeaderPairs } from "../respond.ts"

/** Which web pages may read the answers. */
export interface Cors {
  /** What an answer to a request with this `Origin` carries besides its own headers; nothing when CORS is off. */
  pairsFor(origin: string | null): HeaderPairs
  /** The headers of the answer to a preflight (Fetch, 3.2.2); `undefined` when the request is none or not allowed. */
  preflight(request: Request): HeaderPairs | undefined
}

/** Origins as browsers send them (`https://shop.example`); `"*"` is every origin; an empty list turns CORS off. */
export function createCors(origins: readonly string[]): Cors {
  const everyone = origins.includes("*")
  const allowed = new Map(origins.map((origin) => [origin, answerPairs(origin)]))
  const otherwise = everyone ? answerPairs("*") : origins.length > 0 ? [varyOrigin] : []

  const pairsFor = (origin: string | null): HeaderPairs =>
    everyone || origin === null ? otherwise : (allowed.get(origin) ?? otherwise)

  return {
    pairsFor,
    preflight({ headers }) {
      const origin = headers.get("origin")
      if (origin === null || headers.get("access-control-request-method") === null) return undefined
      return everyone || allowed.has(origin) ? [...pairsFor(origin), ...preflightPairs] : undefined
    },
  }
}

/** No credentials mode: the key travels in a header that the page sets itself, so `*` gives nothing away. */
function answerPairs(origin: string): HeaderPairs {
  const exposed = "ETag, Retry-After, X-RateLimit-Limit, X-RateLimit-Remaining"
  const pairs: HeaderPairs = [
    ["access-control-allow-origin", origin],
    ["access-control-expose-headers", exposed],
  ]
  return origin === "*" ? pairs : [...pairs, varyOrigin]
}

const varyOrigin = ["vary", "Origin"] as const

const preflightPairs: HeaderPairs = [
  ["access-control-allow-methods", "GET, HEAD"],
  ["access-control-allow-headers", "Authorization, If-None-Match"],
  ["access-control-max-age", "7200"],
  ["vary", "Access-Control-Request-Method, Access-Control-Request-Headers"],
]
