import type { Result } from "./fault.ts"

/** Something outside that the proxy keeps a copy of. The reloader decides when to ask it, and what to do with the answer. */
export interface Source<T> {
  /** Names the source in log lines and messages; never holds a secret. */
  readonly location: string
  /**
   * A string that differs whenever `read` may give something else. Cheap: it is called at each poll, and before each
   * `read`.
   */
  version(ask: Ask): Promise<Result<string>>
  /**
   * Reads what was there when the version was read. `known` is the last good value, no part of which needs to be read
   * again.
   */
  read(known: T | undefined, ask: Ask): Promise<Result<T>>
  /** Keeps the last good value for the next start; `undefined`: it is not kept. */
  readonly cache?: SourceCache<T> | undefined
}

/** The last good value of a source, on disk, so that a proxy starts while the source is down. */
export interface SourceCache<T> {
  /** Its folder. */
  readonly location: string
  /** Verified as if it came from the source. */
  read(): Promise<Result<T>>
  /** Replaces the value, unless the existing one is newer, as far as signed files tell. Rejects if it fails. */
  write(value: T): Promise<void>
}

export interface Ask {
  /** An operator asked, or what was found last was not accepted: even files that seem unchanged are read again. */
  readonly isForced: boolean
  /** The source gives up when this is aborted. */
  readonly signal: AbortSignal
}

/** The folder of a source's files, local or at an address. Each check first reads one file, which names the others. */
export interface SourceFolder {
  /** Names the folder in log lines and messages; never holds a secret. */
  readonly location: string
  /**
   * A file of at most `limit` bytes. A fault names it and the fix. `known` are bytes with the digest that the file
   * should have; if file names depend on the content, they are returned without reading.
   */
  read(file: string, limit: number, ask: Ask, known?: Buffer): Promise<Result<Buffer>>
  /** A string that differs whenever the first file, read as `first`, or one of the others may have changed. */
  version(first: Result<Buffer>, others: readonly string[]): Promise<Result<string>>
}
