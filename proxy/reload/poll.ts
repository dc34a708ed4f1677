/** Calls `task` again and again, `interval` milliseconds after it last ended; never for 0. */
export function createPoll(interval: number, task: () => Promise<void>): { stop(): void } {
  let timer: NodeJS.Timeout | undefined
  let isStopped = interval === 0

  function schedule(): void {
    if (!isStopped) timer = setTimeout(() => task().finally(schedule), interval)
  }

  schedule()
  return {
    stop() {
      isStopped = true
      clearTimeout(timer)
    },
  }
}
