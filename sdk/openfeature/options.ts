import { eventsPath, flagsPath } from "../contract/paths.ts"
import type { SnapshotDocument } from "../contract/snapshot.ts"
import type { FlagValuesDocument } from "../evaluation/document-of-values.ts"

/** Where the flags come from, and what is added to contexts. */
export type FlagstoneProviderOptions = (RemoteOptions | FileOptions | DocumentOptions) & ContextOptions

/** What is added to every context. */
export interface ContextOptions {
  /** The attribute that gets the current time if a context lacks it, for schedules. None by default. */
  readonly clockAttribute?: string
}

/** Flags are polled from a proxy or a CDN. */
export interface RemoteOptions {
  /**
   * The proxy, or the environment's folder on a CDN: `/v1/flags` is read there. If it ends in `.json`, it is the document
   * itself.
   */
  readonly url: string
  /** An API key that may read, sent as `Authorization: Bearer`. A CDN may need none. */
  readonly apiKey?: string
  /** Sent with every request. */
  readonly headers?: Readonly<Record<string, string>>
  /** Whether to listen for changes if the server is a proxy; true by default. */
  readonly events?: boolean
  /** Milliseconds between two polls while it does not listen, give or take a fifth. 30,000 by default, and at least 100. */
  readonly pollInterval?: number
  /** Milliseconds without a good answer after which the flags are stale. Three poll intervals by default, and at least 100. */
  readonly staleAfter?: number
  /** Bytes of a document, decompressed; a longer answer is refused. 64 MiB by default. */
  readonly documentLimit?: number
  /** The file that keeps the last document, for a start without network. Use one per environment; it contains the rules. */
  readonly cacheFile?: string
  /** Has the flags, which are then stale, until the server or the cache file gives some. */
  readonly document?: DocumentOptions["document"]
  /** Used instead of the global `fetch`. */
  readonly fetch?: typeof fetch
}

/** Flags are read once, from a document that `flagstone build` wrote. */
export interface FileOptions {
  readonly file: string
}

/** Flags are given as a document, for tests: `{ flags: { "delivery-slots": true } }` is enough. */
export interface DocumentOptions {
  readonly document: SnapshotDocument | FlagValuesDocument
}

/** The options of a provider that polls, with all defaults. */
export interface RemoteConfig {
  readonly address: string
  /** The address without its query, which may hold a CDN's signature: the part that may be logged. */
  readonly shown: string
  readonly headers: Readonly<Record<string, string>>
  /** The address of events; `undefined`: do not listen. */
  readonly eventsAddress: string | undefined
  readonly pollInterval: number
  readonly staleAfter: number
  /** In bytes. */
  readonly documentLimit: number
  readonly cacheFile: string | undefined
}

const remoteNames = [
  "apiKey",
  "headers",
  "events",
  "pollInterval",
  "staleAfter",
  "documentLimit",
  "cacheFile",
  "fetch",
]
const names = ["url", "file", "document", "clockAttribute", ...remoteNames]

/** Refuses what types cannot: code without them may pass anything. Throws a `TypeError`. */
export function checkOptions(options: FlagstoneProviderOptions): void {
  const given = new Map(Object.entries(options ?? {}).filter(([, value]) => value !== undefined))
  const unknown = [...given.keys()].find((name) => !names.includes(name))
  if (unknown !== undefined) throw new TypeError(`${unknown} is no option: there are ${names.join(", ")}`)
  if (!("url" in (options ?? {})) && !given.has("file") && !given.has("document"))
    throw new TypeError("give url, file or document")
  if ("file" in (options ?? {}) && (given.has("url") || given.has("document")))
    throw new TypeError("give file alone, without url and document")
}

/** Throws a `TypeError` that names a bad option. */
export function readRemoteOptions(options: RemoteOptions): RemoteConfig {
  const { apiKey, pollInterval = 30_000, staleAfter = 3 * pollInterval, cacheFile } = options
  const { documentLimit = 64 * 1024 * 1024 } = options
  requireMilliseconds("pollInterval", pollInterval, "30_000")
  if (options.staleAfter !== undefined) requireMilliseconds("staleAfter", staleAfter, "90_000")
  if (!(documentLimit > 0)) throw new TypeError(`documentLimit must be bytes, more than 0: ${documentLimit}`)
  if (apiKey === "") throw new TypeError("apiKey must not be empty: leave it out if there is none")
  const url = addressOf(options.url)
  return {
    address: url.href,
    shown: `${url.origin}${url.pathname}`,
    headers: headersOf(apiKey, options.headers),
    eventsAddress: options.events === false ? undefined : eventsAddressOf(url),
    pollInterval,
    staleAfter,
    documentLimit,
    cacheFile,
  }
}

function requireMilliseconds(name: string, value: number, example: string): void {
  if (value >= shortest && value <= longest) return
  throw new TypeError(
    `${name} must be milliseconds, from ${shortest} to ${longest}, such as ${example}: ${value}`,
  )
}

/** Refuses values that HTTP cannot send: `fetch` would refuse them at each poll, with the secret in its message. */
function headersOf(
  apiKey: string | undefined,
  given: RemoteOptions["headers"],
): Readonly<Record<string, string>> {
  try {
    const headers = new Headers({ "user-agent": userAgent })
    if (apiKey !== undefined) headers.set("authorization", `Bearer ${apiKey}`)
    for (const [name, value] of new Headers(given ?? {})) headers.set(name, value)
    return Object.fromEntries(headers)
  } catch {
    throw new TypeError("apiKey and headers must be single lines of Latin characters")
  }
}

/** Some firewalls refuse the names of libraries. */
const userAgent = "flagstone-js/0.1.0"

function addressOf(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url === undefined || !/^https?:$/.test(url.protocol))
    throw new TypeError("url must begin with http: or https:")
  if (url.username !== "" || url.password !== "")
    throw new TypeError("url must not contain a user or password: use headers instead")
  if (!url.pathname.endsWith(".json")) {
    const base = url.pathname.replace(/\/+$/, "")
    url.pathname = base.endsWith(flagsPath) ? base : base + flagsPath
  }
  url.hash = ""
  return url
}

/** `undefined` if the url is the document's own address. */
function eventsAddressOf({ href, pathname }: URL): string | undefined {
  if (!pathname.endsWith(flagsPath)) return undefined
  const url = new URL(href)
  url.pathname = pathname.slice(0, -flagsPath.length) + eventsPath
  return url.href
}

/** Whoever asks for less has mistaken the unit: it would flood the server, or flags would always be stale. */
const shortest = 100

/** A day: timers of more than 24 days run immediately. */
const longest = 86_400_000
