import { executionAsyncResource } from "node:async_hooks"
import { getHeapSpaceStatistics, setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"

/**
 * What Flagstone knows of its objects' lives that V8 would have to guess. Each holds for the rest of the process and
 * changes nothing but its memory and time.
 */
export interface Heap {
  /**
   * For a server, which V8 would make larger and slower with time. The nursery it would double up to 64 MB, twice, under
   * any load that lasts; with this it stops at 4 MB, or at what the work of a single second makes it. And when a
   * collection finds none of the objects that Node queues for the next tick, V8 forgets their shape and makes each by
   * its slow path for good: 0.4 µs more for a tick, a quarter more for an answer. So one is held, and renewed because
   * the shape changes when their numbers outgrow 31 bits.
   */
  keepSteady(): void
  /** Takes back what has become free, some `size` bytes, if it is much. Holds the process for some 10 ms. */
  collect(size: number): void
}

/**
 * The heap of this process, which runs `nodeMajor`: V8 is left alone where that is newer than what this was tried with.
 * `nextTick` is the process's own.
 */
export function createHeap(nodeMajor: number, nextTick: (task: () => void) => void): Heap {
  const set = (flag: string): void => {
    if (nodeMajor <= newestTried) setFlagsFromString(flag) // which complains of an unknown flag on stderr
  }
  let gc: (() => void) | undefined
  const held: object[] = []
  return {
    keepSteady() {
      const keep = (): void => {
        set(`--semi-space-growth-factor=${isNurserySmall() ? 2 : 1}`)
        nextTick(() => {
          held[0] = executionAsyncResource()
        })
      }
      keep()
      setInterval(keep, 1000).unref()
    },
    collect(size) {
      if (size < worthCollecting) return
      set("--expose-gc")
      gc ??= runInNewContext("globalThis.gc") as (() => void) | undefined
      gc?.()
    },
  }
}

/** Of Node's major versions. */
const newestTried = 26

/** Whether it is below 4 MB, from where on its collections take no less: 2 % of a busy server's time. */
function isNurserySmall(): boolean {
  const nursery = getHeapSpaceStatistics().find(({ space_name }) => space_name === "new_space")
  return nursery !== undefined && nursery.space_available_size + nursery.space_used_size < 4 * 1024 * 1024
}

/** Bytes. */
const worthCollecting = 4 * 1024 * 1024
