import type { HeaderPairs } from "./headers.ts"

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
  /** The ticket in the address is not ours, too old, or for a key that is gone or has a different secret now. */
  | "ticket"

declare module "h3" {
  /** What the steps of a request find out about it; each writes its part. */
  interface H3EventContext {
    /** The target's path as the client wrote it: nothing is decoded and no dots are resolved. `undefined`: as in the URL. */
    path?: string
    /** The headers that let a web page read the answer. */
    cors?: HeaderPairs
    /** The authenticated key's id. */
    keyId?: string
    denial?: Denial
  }
  interface H3RouteMeta {
    readonly route?: Route
  }
}

/** A request whose answer has ended. */
export interface Observation {
  readonly route: Route
  readonly keyId: string | undefined
  readonly denial: Denial | undefined
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
