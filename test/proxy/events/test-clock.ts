import type { Schedule } from "../../../proxy/events/event-streams.ts"
import { wallClock } from "../fixtures.ts"

/** A proxy's clock, whose time passes when a test says so. */
export interface TestClock {
  readonly now: () => number
  readonly monotonicNow: () => number
  readonly random: () => number
  readonly schedule: Schedule
  /** Lets milliseconds pass, and does what is due meanwhile. */
  pass(milliseconds: number): void
  /** How many tasks wait for their time. */
  readonly waiting: number
}

/** `random` is in the middle, where nothing is spread, unless the test says otherwise. */
export function createTestClock(random = () => 0.5): TestClock {
  const tasks = new Set<Task>()
  let time = 0
  return {
    now: () => wallClock + time,
    monotonicNow: () => time,
    random,
    get waiting() {
      return tasks.size
    },
    schedule(milliseconds, run) {
      const task = { at: time + milliseconds, run }
      tasks.add(task)
      return () => tasks.delete(task)
    },
    pass(milliseconds) {
      const end = time + milliseconds
      for (;;) {
        let next: Task | undefined
        for (const task of tasks) if (task.at < (next?.at ?? Infinity)) next = task
        if (next === undefined || next.at > end) break
        tasks.delete(next)
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
}
