import { setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"

/**
 * What Flagstone knows of its objects' lives that V8 would have to guess. Each holds for the rest of the process and
 * changes nothing but its memory and time.
 */
export interface Heap {
  /** For a build. In one of ten large ones V8 keeps 150 MB of dead trees, and takes a third longer. */
  expectShortLivedTrees(): void
  /** For a server. Keeps the nursery at the 2 MB of the start, which no answer outlives; it would double up to 128 MB. */
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
    keepNurserySmall: () => set("--semi-space-growth-factor=1"),
    collect(size) {
      if (size < worthCollecting) return
      setFlagsFromString("--expose-gc")
      gc ??= runInNewContext("gc") as () => void
      gc()
    },
  }
}

const newestTried = 26

const worthCollecting = 4 * 1024 * 1024
