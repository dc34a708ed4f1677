/** What a look at a source led to. */
export type Reload =
  | { readonly kind: "unchanged" }
  | { readonly kind: "replaced" }
  | { readonly kind: "refused"; readonly error: Error }

/** Something from outside that is replaced as a whole, by one assignment, and never by something broken. */
export interface Reloadable<T> {
  /** The last good one. */
  readonly current: T
  /**
   * Loads again when the source's version is not the one last tried, or when `force` is set. Whatever is wrong with
   * the new one, the last good one stays; a version that was refused is not tried again until it changes.
   */
  reload(force: boolean): Promise<Reload>
}

/** Loads for the first time, and throws what `load` throws. */
export async function createReloadable<T>(
  source: { readonly version: () => Promise<string> },
  load: (previous: T | undefined) => Promise<T>,
): Promise<Reloadable<T>> {
  // The version comes first: what changes while it is read is looked at once more, never missed.
  let version = await source.version()
  let current = await load(undefined)
  let turn: Promise<unknown> = Promise.resolve()

  async function look(force: boolean): Promise<Reload> {
    const found = await source.version()
    if (found === version && !force) return { kind: "unchanged" }
    version = found
    try {
      current = await load(current)
      return { kind: "replaced" }
    } catch (error) {
      return {
        kind: "refused",
        error: error instanceof Error ? error : new Error("refused", { cause: error }),
      }
    }
  }

  return {
    get current() {
      return current
    },
    reload(force) {
      const result = turn.then(() => look(force))
      turn = result.catch(() => undefined)
      return result
    },
  }
}
