import { onTestFinished } from "vitest"
import {
  openSharedStore,
  type SharedStore,
  type SharedStoreConfig,
} from "../../../proxy/rate-limit/shared-store.ts"
import { parseStoreAddress } from "../../../proxy/rate-limit/store-address.ts"
import type { Allowance } from "../../../proxy/rate-limit/token-bucket.ts"
import { inTime, until } from "../../in-time.ts"
import { createTestLogger, type TestLogger } from "../fixtures.ts"

/** A proxy's side of a shared store, with a running clock that can be moved forward. */
export interface TestStore extends TestLogger {
  readonly store: SharedStore
  /** Milliseconds that each answered call took. */
  readonly calls: number[]
  take(bucket: { capacity: number; refillPerSecond: number }, id?: string): Allowance | Promise<Allowance>
  /** The moment, in milliseconds. */
  readonly now: () => number
  /** Moves only this proxy forward by this many milliseconds. */
  advance(milliseconds: number): void
}

/** What is logged when a store goes down and comes back. */
export const notShared = "rate limits not shared: the store is down"
export const shared = "rate limits shared"

/**
 * Opens a store that waits longer for an answer than any test machine is busy, unless `changes` say otherwise. Resolves
 * when it is up; `fault` resolves when it is not, for a reason that matches.
 */
export async function openTestStore(
  url: string,
  { fault, ...changes }: Partial<SharedStoreConfig> & { readonly fault?: RegExp } = {},
): Promise<TestStore> {
  const address = parseStoreAddress(url)
  if (address === undefined) throw new Error(`${url} is no address`)
  const testLogger = createTestLogger()
  let offset = 0
  const monotonicNow = () => performance.now() + offset
  const store = await openSharedStore({
    address,
    wait: 10_000,
    proxies: 1,
    clock: { monotonicNow, random: Math.random },
    logger: testLogger.logger,
    ...changes,
  })
  onTestFinished(() => store.stop())
  const isAsWanted = () =>
    fault === undefined ? store.fault() === undefined : fault.test(store.fault() ?? "")
  // A busy machine connects at the second attempt.
  await until(isAsWanted, `the store's fault is ${fault ?? "none"}`, () => store.fault())
  const calls: number[] = []
  store.onAnswer((milliseconds) => calls.push(milliseconds))
  return {
    ...testLogger,
    store,
    calls,
    now: monotonicNow,
    take(bucket, id = "web") {
      const taken = store.take(id, bucket, monotonicNow())
      return taken instanceof Promise ? inTime(taken, "the store decides", () => store.fault()) : taken
    },
    advance(milliseconds) {
      offset += milliseconds
    },
  }
}

/** Several proxies on one store. */
export function openTestStores(
  url: string,
  count: number,
  changes: Partial<SharedStoreConfig> = {},
): Promise<TestStore[]> {
  return Promise.all(Array.from({ length: count }, () => openTestStore(url, changes)))
}
