import { executionAsyncResource } from "node:async_hooks"
import { getHeapSpaceStatistics, setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"

/**
 * What Flagstone knows of its objects' lives that V8 would have to guess. Each holds for the rest of the process and
 * changes nothing but its memory and time.
 */
export interface Heap {
  /** For a build. In one of ten large ones V8 keeps 150 MB of dead trees, and takes a third longer. */
  expectShortLivedTrees(): void
  /** For a server, of which V8 makes a slower or a larger one with time, by the turns that its load takes. */
  keepSteady(): void
  /** Takes back what has become free, some `size` bytes, if it is much. Holds the process for some 10 ms. */
  collect(size: number): void
}

/** The heap of this process, which runs `nodeMajor`: left alone where that is newer than what this was tried with. */
export function createHeap(nodeMajor: number): Heap {
  const set = (flag: string): void => {
    if (nodeMajor <= newestTried) setFlagsFromString(flag) // which complains of an unknown flag on stderr
  }
  let gc: (() => void) | undefined
  return {
    expectShortLivedTrees: () => set("--no-allocation-site-pretenuring"),
    keepSteady() {
      const keep = (): void => {
        set(`--semi-space-growth-factor=${growthTo(nurseryCapacity)}`)
        holdTick()
      }
      keep()
      setInterval(keep, 1000).unref()
    },
    collect(size) {
      if (size < worthCollecting) return
      setFlagsFromString("--expose-gc")
      gc ??= runInNewContext("gc") as () => void
      gc()
    },
  }
}

const newestTried = 26

/**
 * Bytes, of which V8 holds twice as many. Under load it would double the nursery up to 64 MB, which no answer needs; in
 * a quiet moment it shrinks it to 1 MB, where collections take 5 % of the time instead of 2 %.
 */
const nurseryCapacity = 4 * 1024 * 1024

/** By how much the nursery may grow for having `capacity`, at least 1. */
function growthTo(capacity: number): number {
  const nursery = getHeapSpaceStatistics().find(({ space_name }) => space_name === "new_space")
  if (nursery === undefined) return 1
  return Math.max(1, Math.ceil(capacity / (nursery.space_available_size + nursery.space_used_size)))
}

/**
 * Keeps one of the objects that Node queues for `process.nextTick`. When a collection finds none of them V8 forgets
 * their shape, and then makes each by its slow path for good: 0.4 µs more for a tick, a quarter more for an answer. A
 * new one each time, because the shape changes when their numbers outgrow 31 bits.
 */
function holdTick(): void {
  process.nextTick(() => {
    held.tick = executionAsyncResource()
  })
}

const held: { tick?: object } = {}

const worthCollecting = 4 * 1024 * 1024
