/** The path where OFREP evaluates all flags, and the prefix of every single flag's. */
export const evaluatePath = "/ofrep/v1/evaluate/flags"

/** The stream of events about a page's flags; the address has a ticket. */
export const evaluateEventsPath = "/ofrep/v1/events"

/** Answers 200 while the process runs. */
export const livezPath = "/livez"

/** Answers 503 until everything that both usable keys and manifests name has been loaded once, and while draining; else 200. */
export const readyzPath = "/readyz"

/** The only methods of all other paths; `HEAD` is `GET` without the body. */
export const allowedMethods = "GET, HEAD"

/** The only method of `evaluatePath`. */
export const evaluateMethod = "POST"

/** Every error that the proxy can answer: its status, reason phrase, and the `error` member of its body. */
export const httpErrors = {
  badRequest: { status: 400, statusText: "Bad Request", error: "Bad request" },
  unauthorized: { status: 401, statusText: "Unauthorized", error: "Unauthorized" },
  forbidden: { status: 403, statusText: "Forbidden", error: "Forbidden" },
  notFound: { status: 404, statusText: "Not Found", error: "Not found" },
  flagNotFound: { status: 404, statusText: "Not Found", error: "Flag not found" },
  methodNotAllowed: { status: 405, statusText: "Method Not Allowed", error: "Method not allowed" },
  requestTimeout: { status: 408, statusText: "Request Timeout", error: "Request timeout" },
  contentTooLarge: { status: 413, statusText: "Content Too Large", error: "Content too large" },
  tooManyRequests: { status: 429, statusText: "Too Many Requests", error: "Too many requests" },
  headersTooLarge: {
    status: 431,
    statusText: "Request Header Fields Too Large",
    error: "Request header fields too large",
  },
  internal: { status: 500, statusText: "Internal Server Error", error: "Internal server error" },
  notImplemented: { status: 501, statusText: "Not Implemented", error: "Not implemented" },
  unavailable: { status: 503, statusText: "Service Unavailable", error: "Service unavailable" },
} as const

/** The end of a sentence about a status: what to do if it is a redirect, which would take credentials elsewhere. */
export function adviceOnRedirect(status: number): string {
  const isRedirect = status >= 300 && status < 400 && status !== 304
  return isRedirect ? "; redirects are not followed: use the final URL" : ""
}

/** One of `httpErrors`. */
export interface HttpError {
  readonly status: number
  readonly statusText: string
  readonly error: string
}
