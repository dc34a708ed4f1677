import { pino } from "pino"
import { expect } from "vitest"
import { type Fault, good } from "../../proxy/reload/fault.ts"
import { createReloader, type ReloadResult } from "../../proxy/reload/reloader.ts"
import type { SnapshotSet } from "../../proxy/snapshots/snapshot-set.ts"
import type { SnapshotSource } from "../../proxy/snapshots/snapshot-source.ts"
import { wallClock } from "./fixtures.ts"

/** A reloader of sets, with a clock that moves only when told to. */
export interface SetReloader {
  /** Milliseconds. */
  readonly clock: { monotonic: number }
  /** The longest that a reloader may wait before it retries. */
  later(): void
  /** What is wrong with the sets that are loaded from now on, besides the source's own faults: parts, or the whole. */
  loadFaults: readonly Fault[]
  loadFault: Fault | undefined
  /** How often a set was loaded. */
  readonly loads: number
  reload(isForced?: boolean): Promise<ReloadResult>
  /** Reloads, and returns what the source had; throws if nothing was loaded. */
  serve(isForced?: boolean): Promise<SnapshotSet>
  /** Reloads, is refused with such a message, and returns what the cache had; throws if it had nothing. */
  fallBack(message: RegExp | string): Promise<SnapshotSet>
}

export function createSetReloader(source: SnapshotSource): SetReloader {
  const clock = { monotonic: 0 }
  let loads = 0
  /** What is current, and everything that is wrong with it. */
  type Served = SnapshotSet & { readonly all: readonly Fault[] }
  const reloader = createReloader<SnapshotSet, Served>({
    what: "snapshots",
    source,
    async load(set) {
      loads++
      return test.loadFault ?? good({ ...set, all: [...set.faults.values(), ...test.loadFaults] })
    },
    faultsOf: ({ all }) => all,
    isSame: (before, after) => describe(before) === describe(after),
    clock: { now: () => wallClock, monotonicNow: () => clock.monotonic, random: () => 0.999 },
    logger: pino({ level: "silent" }),
  })
  const test: SetReloader = {
    clock,
    later() {
      clock.monotonic += 300_000
    },
    loadFaults: [],
    loadFault: undefined,
    get loads() {
      return loads
    },
    reload: (isForced = false) => reloader.reload(isForced),
    async serve(isForced = false) {
      expect((await reloader.reload(isForced)).kind).toMatch(/^(replaced|unchanged)$/)
      if (reloader.current === undefined || reloader.replaced === 0) throw new Error("nothing was loaded")
      return reloader.current
    },
    async fallBack(message) {
      expect(await reloader.reload(true)).toEqual(refusal(message))
      if (reloader.current === undefined || reloader.replaced > 0) throw new Error("nothing was cached")
      return reloader.current
    },
  }
  return test
}

function describe({ manifestBytes, documents, faults }: SnapshotSet): string {
  return JSON.stringify([manifestBytes.toString(), [...documents.keys()], [...faults]])
}

/** The result of a reload that is refused with such a message. */
export function refusal(message: RegExp | string) {
  return { kind: "refused", fault: expect.objectContaining({ message: expect.stringMatching(message) }) }
}
