import { createRequire } from "node:module"

/** What a command knows, mostly about its memory, and V8 would have to guess. It applies until the process ends. */
export interface Heap {
  /**
   * For a build, in which each tree lives for one file. V8 takes some of them for long-lived: of 10,000 flags the peak
   * was 299 to 428 MB in ten runs without this and 286 to 303 MB in ten with it, on a busy machine (Node 24.21).
   */
  expectShortLivedTrees(): void
  /**
   * For a process that ends after one build: nearly all that reaches V8's old space stays to the end, and V8 looks through
   * it two or three times in vain. Without that a build of 10,000 flags takes 4 % less CPU and 305 MB instead of 295, one
   * of 40,000 as much memory as before (Node 24.21, medians of 21 pairs).
   */
  expectShortProcess(): void
  /**
   * For a process that mostly ends before optimized code has paid for itself: V8 optimizes a function after ten times as
   * many calls.
   */
  optimizeLater(): void
  /**
   * Node makes an object for each `nextTick`, and an answer needs eight ticks. When a collection finds none of them,
   * V8 drops their hidden class and makes each by its slow path from then on: 1,000,000 ticks take 75 to 320 ns each
   * before such a collection and 1,200 to 2,400 ns after it, and 120 to 230 ns after it where one such object is held
   * (Node 24.21, three runs). So one is held, and renewed, because the class changes when their numbers outgrow 31 bits.
   */
  keepTicksFast(): void
  /** Collects garbage, about `size` bytes, if that is much. The process stands still for some 10 ms. */
  collect(size: number): void
}

/** The heap of this process, which runs `nodeMajor`. `nextTick` is the process's own. */
export function createHeap(nodeMajor: number, nextTick: (task: () => void) => void): Heap {
  let gc: (() => void) | undefined
  const held: object[] = []
  return {
    expectShortLivedTrees() {
      if (nodeMajor <= newestTried) setFlag("--no-allocation-site-pretenuring")
    },
    expectShortProcess() {
      if (nodeMajor <= newestTried) setFlag("--heap-growing-percent=1000")
    },
    optimizeLater() {
      if (nodeMajor > newestTried) return
      setFlag("--invocation-count-for-maglev=4000")
      setFlag("--baseline-batch-compilation-threshold=40960")
    },
    keepTicksFast() {
      const { executionAsyncResource }: typeof import("node:async_hooks") = require("node:async_hooks")
      const hold = (): void =>
        nextTick(() => {
          held[0] = executionAsyncResource()
        })
      hold()
      setInterval(hold, 60_000).unref()
    },
    collect(size) {
      if (size < worthCollecting || nodeMajor > newestTried) return
      gc ??= exposeCollector()
      gc?.()
    },
  }
}

/** Bytes. */
const worthCollecting = 4 * 1024 * 1024

/** The newest major version of Node with which this was tried: V8 complains on stderr about flags that it does not know. */
const newestTried = 26

/** Most commands leave the heap alone, and Node's modules that reach it take some milliseconds to load. */
const require = createRequire(import.meta.url)

function setFlag(flag: string): void {
  const { setFlagsFromString }: typeof import("node:v8") = require("node:v8")
  setFlagsFromString(flag)
}

/** The flag decides what a new context has, so a context that is made after it has the collector. */
function exposeCollector(): (() => void) | undefined {
  setFlag("--expose-gc")
  const { runInNewContext }: typeof import("node:vm") = require("node:vm")
  return runInNewContext("globalThis.gc")
}
