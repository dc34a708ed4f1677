import type { RemoteConfig } from "./options.ts"
import type { World } from "./world.ts"

/** The result of asking for the document. */
export type Fetched =
  | {
      readonly kind: "document"
      readonly text: string
      readonly etag: string | undefined
      /** Whether a proxy answered rather than a CDN: proxies send how many requests are left. */
      readonly isProxy: boolean
    }
  /** The document still has the given tag. */
  | { readonly kind: "same"; readonly isProxy: boolean }
  | Failed

export interface Failed {
  readonly kind: "failed"
  /** Why there is no document, as a sentence; holds no secret. */
  readonly reason: string
  /** Whether the key is not valid, or may not read: it is useless to ask again soon. */
  readonly isRefused: boolean
  /** How many milliseconds the server asks to wait; `undefined`: it does not. */
  readonly retryAfter: number | undefined
}

/**
 * Requests the document, conditionally if `etag` is known. Never rejects. Redirects are not followed: they would send
 * the headers to another server.
 */
export async function askForDocument(
  { address, shown, headers, documentLimit }: AskedConfig,
  etag: string | undefined,
  world: Pick<World, "fetch" | "schedule" | "now">,
  signal: AbortSignal,
): Promise<Fetched> {
  const timeout = new AbortController()
  const cancel = world.schedule(longestWait, () => timeout.abort())
  const { fetch } = world
  try {
    const response = await fetch(address, {
      headers: {
        accept: "application/json",
        ...headers,
        ...(etag !== undefined && { "if-none-match": etag }),
      },
      redirect: "manual",
      signal: AbortSignal.any([signal, timeout.signal]),
    })
    const isProxy = response.headers.has("x-ratelimit-limit")
    if (response.status === 200) {
      const body = await readBody(response, documentLimit)
      if (body === undefined) return failed(`${shown} returned more than ${documentLimit} bytes${tooLong}`)
      return {
        kind: "document",
        text: utf8.decode(body),
        etag: response.headers.get("etag") ?? undefined,
        isProxy,
      }
    }
    await response.body?.cancel()
    if (response.status === 304 && etag !== undefined) return { kind: "same", isProxy }
    return refusal(shown, response, world.now())
  } catch (error) {
    const reason = timeout.signal.aborted ? "took more than 10 s to respond" : reasonOf(error)
    return failed(`${shown} ${reason}`)
  } finally {
    cancel()
  }
}

type AskedConfig = Pick<RemoteConfig, "address" | "shown" | "headers" | "documentLimit">

const tooLong = ": if its document is that long, set documentLimit"

/**
 * The decompressed body; `undefined` if it has more than `limit` bytes. No more than that is read: 3 MB of gzip may become
 * 3 GB.
 */
async function readBody({ body }: Response, limit: number): Promise<Uint8Array | undefined> {
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of body ?? []) {
    length += chunk.length
    if (length > limit) return undefined // leaving the loop cancels the body
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

/** As strict as proxies, which keep the last good document, too. */
const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true })

/** Milliseconds, for a whole answer. */
const longestWait = 10_000

/** A failure that may be temporary. */
export function failed(reason: string): Failed {
  return { kind: "failed", reason, isRefused: false, retryAfter: undefined }
}

/** The failure for an answer that has no document. */
export function refusal(shown: string, { status, headers }: Response, now: number): Failed {
  const isRefused = status === 401 || status === 403
  const retryAfter =
    status === 429 || status === 503 ? parseRetryAfter(headers.get("retry-after"), now) : undefined
  return {
    kind: "failed",
    reason: `${shown} returned ${status}${fixOf(status, headers)}`,
    isRefused,
    retryAfter,
  }
}

function fixOf(status: number, headers: Headers): string {
  if (status === 401) return ": use an apiKey that is valid now"
  // A firewall's has a page.
  if (status === 403 && headers.get("content-type") === "application/json")
    return ": use an apiKey that may read; this one may only evaluate"
  if (status === 404) return ": check the url, and that something was published there"
  if (status >= 300 && status < 400) return ": redirects are not followed; set url to the final URL"
  return ""
}

/** RFC 9110, 10.2.3: seconds or a date. `undefined` for anything else, and for no time at all. */
function parseRetryAfter(text: string | null, now: number): number | undefined {
  if (text === null) return undefined
  const wait = /^\d+$/.test(text) ? Number(text) * 1000 : Date.parse(text) - now
  return wait > 0 ? wait : undefined
}

/** The cause of `fetch`'s error is the system's error, or says why nothing was sent. */
function reasonOf(error: unknown): string {
  const { cause, message } = error as {
    readonly cause?: { readonly code?: unknown; readonly message?: unknown }
    readonly message?: unknown
  }
  if (typeof cause?.code === "string") return `cannot be reached (${cause.code})`
  return `did not respond: ${cause?.message ?? message}`
}
