import type { Schedule } from "../../../proxy/events/event-streams.ts"
import { wallClock } from "../fixtures.ts"

/** A proxy's clock, whose time passes when a test says so. */
export interface TestClock {
  readonly now: () => number
  readonly monotonicNow: () => number
  readonly random: () => number
  readonly schedule: Schedule
  /** Lets milliseconds pass, and runs the tasks that are due. */
  pass(milliseconds: number): void
  /** How many tasks are waiting. */
  readonly waiting: number
}

/** `random` is in the middle, which spreads nothing, unless the test says otherwise. */
export function createTestClock(random = () => 0.5): TestClock {
  /** Those that are due first come last. */
  const tasks: Task[] = []
  let time = 0
  return {
    now: () => wallClock + time,
    monotonicNow: () => time,
    random,
    get waiting() {
      return tasks.filter(({ isOver }) => !isOver).length
    },
    schedule(milliseconds, run) {
      if (milliseconds < 0) throw new RangeError(`${milliseconds} ms: Node warns of timers in the past`)
      const task: Task = { at: time + milliseconds, run, isOver: false }
      let [low, high] = [0, tasks.length]
      while (low < high) {
        const middle = (low + high) >> 1
        if ((tasks[middle]?.at ?? 0) > task.at) low = middle + 1
        else high = middle
      }
      tasks.splice(low, 0, task)
      return () => {
        task.isOver = true
      }
    },
    pass(milliseconds) {
      const end = time + milliseconds
      while ((tasks.at(-1)?.at ?? Infinity) <= end) {
        const next = tasks.pop()
        if (next === undefined || next.isOver) continue
        time = next.at
        next.run()
      }
      time = end
    },
  }
}

interface Task {
  readonly at: number
  readonly run: () => void
  isOver: boolean
}
