import { flagsPath } from "../../proxy/contract/http.ts"
import type { SnapshotDocument } from "../../proxy/contract/snapshot.ts"

/** Where the flags come from. */
export type FlagstoneProviderOptions = RemoteOptions | FileOptions | DocumentOptions

/** Flags are read from a proxy or a CDN, again and again. */
export interface RemoteOptions {
  /** The proxy, or the environment's folder on a CDN: `/v1/flags` is read there. Ends it with `.json`, it is the document's own. */
  readonly url: string
  /** An API key that may read, sent as `Authorization: Bearer`. A CDN may need none. */
  readonly apiKey?: string
  /** Sent with every request. */
  readonly headers?: Readonly<Record<string, string>>
  /** Milliseconds between two looks, give or take a fifth. 30,000 unless said. */
  readonly pollInterval?: number
  /** Milliseconds without a good answer after which the flags are stale. Three poll intervals unless said. */
  readonly staleAfter?: number
  /** Where the last document is kept for a start without network. One for each environment; it holds the rules. */
  readonly cacheFile?: string
  /** Asks instead of the machine's `fetch`. */
  readonly fetch?: typeof fetch
}

/** Flags are read once, from a document that `flagstone build` wrote. */
export interface FileOptions {
  readonly file: string
}

/** Flags are these: for tests. */
export interface DocumentOptions {
  readonly document: SnapshotDocument
}

/** What a provider that polls was told, with nothing left open. */
export interface RemoteConfig {
  readonly address: string
  readonly headers: Readonly<Record<string, string>>
  readonly pollInterval: number
  readonly staleAfter: number
  readonly cacheFile: string | undefined
}

/** Throws a `TypeError` that names the option where one is no good. */
export function readRemoteOptions(options: RemoteOptions): RemoteConfig {
  const { apiKey, pollInterval = 30_000, staleAfter = 3 * pollInterval, cacheFile } = options
  for (const [name, value] of Object.entries({ pollInterval, staleAfter })) {
    if (!(value > 0 && value <= longest))
      throw new TypeError(`${name} must be milliseconds, more than 0 and at most ${longest}: ${value}`)
  }
  return {
    address: addressOf(options.url),
    headers: { ...(apiKey !== undefined && { authorization: `Bearer ${apiKey}` }), ...options.headers },
    pollInterval,
    staleAfter,
    cacheFile,
  }
}

function addressOf(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url === undefined || !/^https?:$/.test(url.protocol))
    throw new TypeError(`url must be an address that begins with http: or https:, not ${text}`)
  if (url.username !== "" || url.password !== "")
    throw new TypeError("url must hold no user and no password: give them in headers")
  if (!url.pathname.endsWith(".json")) {
    const base = url.pathname.replace(/\/+$/, "")
    url.pathname = base.endsWith(flagsPath) ? base : base + flagsPath
  }
  return url.href
}

/** A day: timers of more than 24 days run at once. */
const longest = 86_400_000
