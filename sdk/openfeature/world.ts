import { setImmediate as nextTurn } from "node:timers/promises"

/** All that the provider knows of the machine: what it needs to tell the time, to wait, to ask, and to take chances. */
export interface World {
  readonly fetch: typeof fetch
  /** Wall clock, milliseconds since the epoch. */
  readonly now: () => number
  /** A number in [0, 1). */
  readonly random: () => number
  /** Runs `task` in so many milliseconds, unless the returned function is called before. Keeps no process alive. */
  readonly schedule: (milliseconds: number, task: () => void) => () => void
  /** Lets everything else run that waits for its turn. */
  readonly breathe: () => Promise<void>
}

/** The machine that this runs on. */
export const machine: World = {
  fetch: (...request) => fetch(...request),
  now: Date.now,
  random: Math.random,
  schedule(milliseconds, task) {
    const timer = setTimeout(task, milliseconds)
    timer.unref()
    return () => clearTimeout(timer)
  },
  breathe: () => nextTurn(),
}
