/** A file as readers get it. */
export interface PublishedFile {
  /** Where it lies below the target's address: plain names joined by `/`. */
  readonly path: string
  readonly bytes: Uint8Array
  readonly contentType: string
  readonly cacheControl: string
}

/** A file as it was read. */
export interface StoredFile {
  readonly bytes: Buffer
  /** Differs whenever the bytes differ; `undefined` if the target has no such thing. */
  readonly version: string | undefined
}

/** What must be true of the file to be replaced: it is still the one that was read or, without one, still absent. */
export interface Precondition {
  readonly replaces: StoredFile | undefined
}

/** A store that readers read from. Throws a `Failure` or a system call's error; neither repeats a secret. */
export interface PublishTarget {
  /** Names the target in messages. */
  readonly location: string
  /** The base address that readers see, as far as the target knows it; no slash at the end. */
  readonly address: string
  /** `undefined` if there is nothing at `path`. Never answered from a cache. */
  read(path: string): Promise<StoredFile | undefined>
  /**
   * Puts a file in place; readers see the old bytes or the new ones, never a part. "lost" if the condition does
   * not hold; then nothing is changed. A server that does not know conditions takes every condition as true.
   */
  write(file: PublishedFile, condition?: Precondition): Promise<"written" | "lost">
  /** Afterwards there is nothing at `path`. */
  remove(path: string): Promise<void>
  /** Closes connections and timers. */
  close(): Promise<void>
}
