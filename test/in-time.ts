import { setTimeout as sleep } from "node:timers/promises"
import { isSlowHalf } from "./runs.ts"

// A test's own time-out says neither what it waited for nor what happened instead.

/**
 * Resolves as `awaited` does. If it has not in so many seconds, fails with what was awaited, and how things are then;
 * silently, if no one listens any more.
 */
export function inTime<T>(
  awaited: T | Promise<T>,
  what: string,
  state: () => unknown = () => "nothing else is known",
  seconds = longest,
): Promise<T> {
  const late = new Error() // has the stack of who waits
  let timer: NodeJS.Timeout | undefined
  const tooLong = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      late.message = `${what}: not in ${seconds} s. Now: ${format(state())}`
      reject(late)
    }, seconds * 1000)
  })
  const first = Promise.race([awaited, tooLong]).finally(() => clearTimeout(timer))
  first.catch(() => undefined)
  return first
}

/** Resolves when `isSo`; fails as `inTime` does. */
export async function until(
  isSo: () => boolean | Promise<boolean>,
  what: string,
  state?: () => unknown,
  seconds = longest,
): Promise<void> {
  let isOver = false
  const become = async (): Promise<void> => {
    while (!isOver && !(await isSo())) await sleep(20)
  }
  try {
    await inTime(become(), what, state, seconds)
  } finally {
    isOver = true
  }
}

function format(state: unknown): string {
  return typeof state === "string" ? state : JSON.stringify(state)
}

/** Seconds: less than a test may take, which is more in the slow half. */
const longest = isSlowHalf ? 100 : 20
