/** A file as readers get it. */
export interface PublishedFile {
  /** Its path below the target's address: plain names joined by `/`. */
  readonly path: string
  readonly bytes: Uint8Array
  readonly contentType: string
  readonly cacheControl: string
}

/** A file as it was read. */
export interface StoredFile {
  readonly bytes: Buffer
  /** Differs whenever the bytes differ; `undefined` if the target has no versions. */
  readonly version: string | undefined
}

/** A condition on the file to be replaced: it is still the one that was read or, if there was none, still absent. */
export interface Precondition {
  readonly replaces: StoredFile | undefined
}

/** A store that readers read from. Its methods throw a `Failure` or a system call's error; neither contains a secret. */
export interface PublishTarget {
  /** Names the target in messages. */
  readonly location: string
  /** The base address that readers see, as far as the target knows it; no slash at the end. */
  readonly address: string
  /** `undefined` if there is nothing at `path`. Never answered from a cache. */
  read(path: string): Promise<StoredFile | undefined>
  /**
   * Puts a file in place; readers see the old bytes or the new ones, never a part. "lost" if the condition is false;
   * then nothing is changed. A server without conditional writes treats every condition as true.
   */
  write(file: PublishedFile, condition?: Precondition): Promise<"written" | "lost">
  /** Removes the file at `path`, if there is one. */
  remove(path: string): Promise<void>
  /** Closes connections and timers. */
  close(): Promise<void>
}
