/** Paths as metrics and logs name them: never the client's own, which may hold anything. */
export type Route = "/v1/flags" | "/v1/flags/{key}" | "/livez" | "/readyz" | "other"

/** Why authentication failed. Only the operator learns it: to clients all are the same 401. */
export type Denial = "missing" | "malformed" | "unknown" | "not yet" | "expired" | "revoked"

/** What is found out about one request on its way. Made only where somebody observes; each step writes its part. */
export interface Exchange {
  route: Route
  /** Of whoever authenticated. */
  keyId: string | undefined
  denial: Denial | undefined
}

/** An exchange when its answer is over. */
export interface Observation extends Readonly<Exchange> {
  readonly method: string
  readonly status: number
  /** Milliseconds from the request's head to the last byte handed to the kernel. */
  readonly duration: number
  /** The client went away, or was cut, before the answer ended. */
  readonly isCut: boolean
  /** The client's address, as far as it is known. */
  readonly address: string | undefined
}

/** Is told of every request. */
export type Observe = (observation: Observation) => void

export function createExchange(): Exchange {
  return { route: "other", keyId: undefined, denial: undefined }
}
