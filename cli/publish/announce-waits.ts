import type { PublishTarget } from "./target.ts"

/** A target that, while no operation succeeds, says so every ten seconds. */
export function announceWaits(target: PublishTarget, write: (line: string) => void): PublishTarget {
  let underWay = 0
  let seconds = 0
  let timer: NodeJS.Timeout | undefined

  function restart(): void {
    clearInterval(timer)
    seconds = 0
    if (underWay > 0) timer = setInterval(announce, pause * 1000).unref()
  }

  function announce(): void {
    seconds += pause
    write(`waiting for ${target.location}: nothing has succeeded for ${seconds} s\n`)
  }

  async function watched<T>(work: () => Promise<T>): Promise<T> {
    underWay++
    if (underWay === 1) restart()
    try {
      return await work()
    } finally {
      underWay--
      restart()
    }
  }

  return {
    ...target,
    read: (path) => watched(() => target.read(path)),
    write: (file, condition) => watched(() => target.write(file, condition)),
    remove: (path) => watched(() => target.remove(path)),
    async close() {
      clearInterval(timer)
      await target.close()
    },
  }
}

/** Seconds. */
const pause = 10
