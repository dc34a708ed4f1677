import type { Source } from "./source.ts"

/** What a look at a source led to. */
export type Reload =
  | { readonly kind: "unchanged" }
  | { readonly kind: "waiting" }
  | { readonly kind: "replaced" }
  | { readonly kind: "refused"; readonly error: Error }

/** Something from outside that is replaced as a whole, by one assignment, and never by something broken. */
export interface Reloadable<T> {
  readonly location: string
  /** The last good one; `undefined` until there is one. */
  readonly current: T | undefined
  /** Looks at the source, and loads what it found. Whatever is wrong with it, the last good one stays. Never rejects. */
  reload(force: boolean): Promise<Reload>
}

/**
 * `load` makes what is held of what was found, off to the side, or throws; `swapped` is called when it has become the
 * current one, and does not throw. Reloads take turns.
 */
export function createReloadable<Found, Held>(
  source: Source<Found>,
  load: (found: Found, previous: Held | undefined) => Promise<Held>,
  swapped: (found: Found) => Promise<void> = async () => undefined,
): Reloadable<Held> {
  let current: Held | undefined
  let turn: Promise<unknown> = Promise.resolve()

  async function look(force: boolean): Promise<Reload> {
    try {
      const sighting = await source.look(force)
      if (sighting.kind === "same") return { kind: "unchanged" }
      if (sighting.kind === "waiting") return sighting
      current = await load(sighting.value, current)
      await swapped(sighting.value)
      return { kind: "replaced" }
    } catch (thrown) {
      const error = thrown instanceof Error ? thrown : new Error("refused", { cause: thrown })
      return { kind: "refused", error }
    }
  }

  return {
    location: source.location,
    get current() {
      return current
    },
    reload(force) {
      const result = turn.then(() => look(force))
      turn = result
      return result
    },
  }
}
