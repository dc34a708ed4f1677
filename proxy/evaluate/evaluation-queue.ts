/** Does strangers' work in small steps, so that other requests are answered meanwhile. */
export interface EvaluationQueue {
  /** Resolves with what `work` returns. `work` may be paused wherever it yields. */
  run<T>(address: string, work: Iterator<void, T>): Promise<T>
}

/** Addresses take turns: a busy address waits for its own work, and others for only one turn of it. */
export function createEvaluationQueue(monotonicNow: () => number): EvaluationQueue {
  /** The work of each address, in the order of their turns. */
  const waiting = new Map<string, Task[]>()

  function takeTurns(): void {
    const end = monotonicNow() + longestTurn
    for (const [address, tasks] of waiting) {
      waiting.delete(address)
      if (tasks[0]?.(() => monotonicNow() >= end)) tasks.shift()
      if (tasks.length > 0) waiting.set(address, tasks) // behind all others
      if (monotonicNow() >= end) break
    }
    if (waiting.size > 0) setImmediate(takeTurns)
  }

  return {
    run: (address, work) =>
      new Promise((resolve, reject) => {
        const task: Task = (isOver) => {
          try {
            for (;;) {
              const { done, value } = work.next()
              if (done) {
                resolve(value)
                return true
              }
              if (isOver()) return false
            }
          } catch (error) {
            reject(error)
            return true
          }
        }
        if (waiting.size === 0) setImmediate(takeTurns)
        const tasks = waiting.get(address)
        if (tasks === undefined) waiting.set(address, [task])
        else tasks.push(task)
      }),
  }
}

/** Continues until it is done, and returns true, or until the turn is over, and returns false. */
type Task = (isOver: () => boolean) => boolean

/** Milliseconds. Node accepts one connection between two turns, so the last of 150 simultaneous ones waits for 150 turns. */
const longestTurn = 1
