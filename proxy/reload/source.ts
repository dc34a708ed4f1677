import type { Result } from "./fault.ts"

/** Something outside that the proxy holds a copy of. When to ask it, and what to do with the answer, is the reloader's. */
export interface Source<T> {
  /** Names the source in log lines and messages; never holds a secret. */
  readonly location: string
  /** Another text whenever `read` may give something else. Cheap: it is asked at each poll, and before each `read`. */
  version(ask: Ask): Promise<Result<string>>
  /** What was there when its version was asked. `known` is what the last good read gave: nothing of it is read twice. */
  read(known: T | undefined, ask: Ask): Promise<Result<T>>
  /** Holds the last good value for the next start; `undefined`: nothing does. */
  readonly cache?: Cache<T> | undefined
}

export interface Ask {
  /** Believes no validator: somebody asked for it. */
  readonly isForced: boolean
  /** Gives up when it is aborted. */
  readonly signal: AbortSignal
}

export interface Cache<T> {
  read(): Promise<Result<T>>
  /** Rejects with the reason where the value could not be written. */
  write(value: T): Promise<void>
}
