import { pino } from "pino"
import { expect } from "vitest"
import type { Fault } from "../../proxy/reload/fault.ts"
import type { ReloadResult } from "../../proxy/reload/reload-log.ts"
import { createReloader } from "../../proxy/reload/reloader.ts"
import type { SnapshotSet, SnapshotSource } from "../../proxy/snapshots/snapshot-source.ts"
import { wallClock } from "./fixtures.ts"

/** A reloader of sets as they are found, with a clock that stands still until it is moved. */
export interface SetReloader {
  /** Milliseconds. */
  readonly clock: { monotonic: number }
  /** As much time as a reloader may wait before it tries again. */
  later(): void
  /** What is wrong with the sets that are loaded from here on, besides what the source found: parts, or the whole. */
  loadFaults: readonly Fault[]
  loadFault: Fault | undefined
  reload(isForced?: boolean): Promise<ReloadResult>
  /** Reloads, and gives what is current then; throws where nothing was loaded. */
  serve(isForced?: boolean): Promise<Served>
  readonly current: Served | undefined
}

export interface Served extends SnapshotSet {
  readonly fallback: Fault | undefined
}

export function createSetReloader(source: SnapshotSource): SetReloader {
  const clock = { monotonic: 0 }
  const reloader = createReloader<SnapshotSet, Served>({
    what: "snapshots",
    source,
    load: async (set, { fallback }) =>
      test.loadFault ?? {
        kind: "good",
        value: { ...set, fallback },
        faults: [...set.faults.values(), ...test.loadFaults],
      },
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
    reload: (isForced = false) => reloader.reload(isForced),
    async serve(isForced = false) {
      expect((await reloader.reload(isForced)).kind).toMatch(/^(replaced|confirmed)$/)
      if (reloader.current === undefined) throw new Error("nothing is current")
      return reloader.current
    },
    get current() {
      return reloader.current
    },
  }
  return test
}

function describe({ manifestBytes, documents, faults, fallback }: Served): string {
  return JSON.stringify([manifestBytes.toString(), [...documents.keys()], [...faults], fallback])
}

/** What a reload gives that is refused with such a message. */
export function refusal(message: RegExp | string) {
  return { kind: "refused", fault: expect.objectContaining({ message: expect.stringMatching(message) }) }
}
