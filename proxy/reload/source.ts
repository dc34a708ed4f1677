import type { Result } from "./fault.ts"

/**
 * Something outside that the proxy holds a copy of. The reloader decides when to ask it, and what to do with the answer.
 */
export interface Source<T> {
  /** Names the source in log lines and messages; never holds a secret. */
  readonly location: string
  /** Another text whenever `read` may give something else. Cheap: it is asked at each poll, and before each `read`. */
  version(ask: Ask): Promise<Result<string>>
  /** What was there when its version was read. `known` is the last good value: none of it needs to be read again. */
  read(known: T | undefined, ask: Ask): Promise<Result<T>>
  /** Holds the last good value for the next start; `undefined`: it is not kept. `write` rejects where it cannot. */
  readonly cache?: { read(): Promise<Result<T>>; write(value: T): Promise<void> } | undefined
}

export interface Ask {
  /** An operator asked: even what seems unchanged is read again. */
  readonly isForced: boolean
  /** When it is aborted, the source gives up. */
  readonly signal: AbortSignal
}

/** The folder of a source's files, here or at an address. Each check reads one file first, which names the others. */
export interface SourceFolder {
  /** Names the folder in log lines and messages; never holds a secret. */
  readonly location: string
  /**
   * A file of at most `limit` bytes. A fault names it and the fix. `known` are bytes with the digest that it should have:
   * if other bytes would have another name, they are returned unread.
   */
  read(file: string, limit: number, ask: Ask, known?: Buffer): Promise<Result<Buffer>>
  /** Another text whenever the first file, read as `first`, or one of the others may have changed. */
  version(first: Result<Buffer>, others: readonly string[]): Promise<Result<string>>
}
