import { getHeapSpaceStatistics, setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"

/**
 * What Flagstone knows of its objects' lives that V8 would have to guess. Each holds for the rest of the process and
 * changes nothing but its memory and time.
 */
export interface Heap {
  /** For a build. In one of ten large ones V8 keeps 150 MB of dead trees, and takes a third longer. */
  expectShortLivedTrees(): void
  /**
   * For a server. Under load V8 would double the nursery up to 128 MB, which no answer needs; and when it has shrunk it
   * to 1 MB in a quiet moment, it would be a minute before it has grown again.
   */
  keepNurserySmall(): void
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
    keepNurserySmall() {
      const keep = (): void => {
        const factor = Math.ceil(smallNursery / nurseryCapacity())
        set(`--semi-space-growth-factor=${Math.max(1, factor)}`)
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

/** Bytes; V8 holds it twice. With a quarter of it, collections take twice the time, 5 % of all; with more, no less. */
const smallNursery = 4 * 1024 * 1024

function nurseryCapacity(): number {
  const nursery = getHeapSpaceStatistics().find(({ space_name }) => space_name === "new_space")
  return nursery === undefined ? smallNursery : nursery.space_available_size + nursery.space_used_size
}

const worthCollecting = 4 * 1024 * 1024
