import type { IncomingHttpHeaders } from "node:http"
import type { Readable } from "node:stream"

/** Paths in metrics and logs: never the client's own, which may hold anything. */
export type Route =
  | "/v1/flags"
  | "/v1/flags/{key}"
  | "/v1/events"
  | "/ofrep/v1/evaluate/flags"
  | "/ofrep/v1/evaluate/flags/{key}"
  | "/ofrep/v1/events"
  | "/livez"
  | "/readyz"
  | "other"

/**
 * Why authentication failed. Only the operator learns it: clients always get the same 401, or 403 for a valid key with
 * a different use.
 */
export type Denial =
  | "missing"
  | "malformed"
  | "unknown"
  | "not yet"
  | "expired"
  | "revoked"
  | "for another use"
  /** The ticket in the address is not ours, or too old. */
  | "ticket"

/** What the steps of a request find out about it; each writes its part. */
export interface Exchange {
  route: Route
  /** The authenticated key's id; `undefined` until then. */
  keyId: string | undefined
  denial: Denial | undefined
}

/** An exchange whose answer has ended. */
export interface Observation extends Readonly<Exchange> {
  readonly method: string
  /** 499, as in nginx, if the client went away before there was an answer. */
  readonly status: number
  /** Milliseconds from the request's head until the last byte is passed to the kernel. */
  readonly duration: number
  /** Whether the client went away, or was cut off, before the answer ended. */
  readonly isCut: boolean
  /** The client's address; `undefined`: unknown. */
  readonly address: string | undefined
}

/** Called for each request when its answer has ended. */
export type Observe = (observation: Observation) => void

export function createExchange(): Exchange {
  return { route: "other", keyId: undefined, denial: undefined }
}

/** The exchange of all requests if nothing observes them: written, never read. */
export const unobserved: Exchange = createExchange()

/** A request as the routes read it. */
export interface ProxyRequest {
  readonly method: string
  /** The target's path as the client wrote it, without the query: nothing is decoded and no dots are resolved. */
  readonly path: string
  /** The whole target, which may hold anything: it is never logged. */
  readonly target: string
  /** By lower-case name; lines of the same name joined by `, `. */
  readonly headers: IncomingHttpHeaders
  /** The other end of the socket, if there is one. */
  readonly peer: { readonly remoteAddress?: string | undefined; readonly destroyed?: boolean }
  /** What follows the head. A client that waits for `100 Continue` gets it when a route starts to read. */
  readonly body: Readable
  readonly exchange: Exchange
}

/** A header's value. Node joins the lines of all headers but `Set-Cookie`, which requests do not use. */
export function oneLine(header: string | string[] | undefined): string | undefined {
  return typeof header === "string" ? header : undefined
}
