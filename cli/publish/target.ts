/** A file as readers get it. */
export interface PublishedFile {
  /** Where it lies below the target's address: plain names joined by `/`. */
  readonly path: string
  readonly bytes: Uint8Array
  readonly contentType: string
  readonly cacheControl: string
}

/** A file as it was found. */
export interface StoredFile {
  readonly bytes: Buffer
  /** Another text whenever the bytes differ; `undefined` where the target tells none. */
  readonly version: string | undefined
}

/** What must be true of the file that is to be replaced: still the one that was read, or, without one, still absent. */
export interface Precondition {
  readonly replaces: StoredFile | undefined
}

/** Somewhere that readers read from. Throws a `Failure` or a system call's error; neither repeats a secret. */
export interface PublishTarget {
  /** Names the target in messages. */
  readonly location: string
  /** The base address that readers see, as far as the target knows it; no slash at the end. */
  readonly address: string
  /** `undefined` where nothing lies at `path`. Never answered from a cache. */
  read(path: string): Promise<StoredFile | undefined>
  /**
   * Puts a file in place; readers see the old bytes or the new ones, never a part. "lost" and nothing done where the
   * condition does not hold; a target whose server knows no conditions takes it as true.
   */
  write(file: PublishedFile, condition?: Precondition): Promise<"written" | "lost">
  /** Nothing lies at `path` afterwards. */
  remove(path: string): Promise<void>
  /** Gives back what it holds open. */
  close(): Promise<void>
}
