import type { Source } from "./source.ts"

/** What a look at a source led to. */
export type Reload =
  | { readonly kind: "unchanged" }
  | { readonly kind: "waiting" }
  /** It could be read, and gave what is held already. */
  | { readonly kind: "confirmed" }
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

/** What is done with what was found. None but `load` throws. */
export interface Reloading<Found, Held> {
  /** Makes what is held of it, off to the side, or throws. */
  load(found: Found, previous: Held | undefined): Promise<Held>
  /** Called when it has become the current one; `isNew` unless it is like the one before and nobody asked for it. */
  swapped?(found: Found, isNew: boolean): Promise<void>
  /** Called when `load` threw. */
  refused?(error: Error): void
  /** Whether one is like the other. */
  isSame?(previous: Held, held: Held): boolean
}

/** Reloads take turns. */
export function createReloadable<Found, Held>(
  source: Source<Found>,
  { load, swapped, refused, isSame }: Reloading<Found, Held>,
): Reloadable<Held> {
  let current: Held | undefined
  let turn: Promise<unknown> = Promise.resolve()

  async function look(force: boolean): Promise<Reload> {
    try {
      const sighting = await source.look(force)
      if (sighting.kind === "same") return { kind: "unchanged" }
      if (sighting.kind === "waiting") return sighting
      const before = current
      current = await loaded(sighting.value)
      const isNew = force || before === undefined || isSame?.(before, current) !== true
      await swapped?.(sighting.value, isNew)
      return { kind: isNew ? "replaced" : "confirmed" }
    } catch (thrown) {
      return { kind: "refused", error: errorOf(thrown) }
    }
  }

  async function loaded(found: Found): Promise<Held> {
    try {
      return await load(found, current)
    } catch (thrown) {
      refused?.(errorOf(thrown))
      throw thrown
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

function errorOf(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error("refused", { cause: thrown })
}
