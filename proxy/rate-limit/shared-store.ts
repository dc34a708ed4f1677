import type { Logger } from "pino"
import { type Bucket, minRefill } from "../contract/bucket.ts"
import { certificateAdvice } from "../contract/certificate-advice.ts"
import { createBatches } from "./batches.ts"
import { createMemoryStore, type RateLimitStore } from "./memory-store.ts"
import type { StoreAddress } from "./store-address.ts"
import { connectStore, type Grant, type StoreConnection } from "./store-connection.ts"
import type { Allowance } from "./token-bucket.ts"

/** Buckets that several proxies share, in Redis or a compatible server. */
export interface SharedStore extends RateLimitStore {
  /** The address without user and password. */
  readonly address: string
  /** Why the store is down; `undefined`: it is up. */
  readonly fault: () => string | undefined
  /** How many requests were decided by an answer of the store, by a refusal that still applies, and by a local bucket. */
  readonly decisions: { readonly store: number; readonly refusal: number; readonly local: number }
  /** Calls `listener` with the milliseconds that each answered call took. */
  onAnswer(listener: (milliseconds: number) => void): void
  stop(): void
}

export interface SharedStoreConfig {
  readonly address: StoreAddress
  /** Milliseconds that a request may wait for the store. */
  readonly wait: number
  /** How many proxies share the limits: while the store is down, each has its part of them. */
  readonly proxies: number
  readonly clock: { readonly monotonicNow: () => number; readonly random: () => number }
  readonly logger: Logger
}

/**
 * Resolves when the store has been probed once, whether it is up or not. While it is down, a local bucket decides each
 * request immediately, and the store is probed once a second. Logs both changes.
 */
export async function openSharedStore(config: SharedStoreConfig): Promise<SharedStore> {
  const { address, wait, proxies } = config
  const { monotonicNow } = config.clock
  const takeTogether = createBatches(decide)
  /** They are also charged for what the store grants: an outage, or a late answer, gives no one a second bucket. */
  const localBuckets = createMemoryStore(maxBuckets)
  const refusals = new Map<string, { readonly bucket: Bucket; readonly until: number }>()
  const decisions = { store: 0, refusal: 0, local: 0 }
  const listeners: ((milliseconds: number) => void)[] = []

  /** The local bucket decides requests that have waited too long, even if the call still succeeds. */
  async function decide(id: string, bucket: Bucket, count: number, since: number): Promise<Allowance[]> {
    const begin = monotonicNow()
    const call = probed.fault() === undefined ? probed.ask(id, bucket, count) : Promise.reject()
    const grant = await within(Math.max(0, Math.ceil(since + wait - begin)), call).catch(() => undefined)
    const now = monotonicNow()
    if (grant === undefined) return Array.from({ length: count }, () => takeLocally(id, bucket, now))
    decisions.store += count
    for (let index = 0; index < grant.granted; index++) localBuckets.take(id, partOf(bucket, proxies), now)
    for (const listener of listeners) listener(now - begin)
    if (refusals.size >= maxBuckets) refusals.clear() // each then costs one call
    if (grant.wait > 0) refusals.set(id, { bucket, until: now + grant.wait })
    return Array.from({ length: count }, (_, index) => allowanceAt(index, grant, bucket))
  }

  function takeLocally(id: string, bucket: Bucket, now: number): Allowance {
    decisions.local++
    return { ...localBuckets.take(id, partOf(bucket, proxies), now), limit: bucket.capacity }
  }

  const probed = await probeStore(config)
  return {
    take(id, bucket, now) {
      const refusal = refusals.get(id)
      if (refusal?.bucket === bucket && now < refusal.until) {
        decisions.refusal++
        return exhausted(bucket, refusal.until - now)
      }
      return probed.fault() === undefined ? takeTogether(id, bucket, now) : takeLocally(id, bucket, now)
    },
    address: address.shown,
    fault: probed.fault,
    decisions,
    onAnswer: (listener) => void listeners.push(listener),
    stop: probed.stop,
  }
}

/** A store that is probed once a second, so that it is known whether it is up. */
interface ProbedStore extends Pick<SharedStore, "fault" | "stop"> {
  /** A call that fails or is late ends the connection, and the store is down. */
  readonly ask: (id: string, bucket: Bucket, count: number) => Promise<Grant>
}

/** Resolves after the first probe. */
async function probeStore({ address, wait, clock, logger }: SharedStoreConfig): Promise<ProbedStore> {
  /** Established or, while the store is down, being established. */
  let connection: StoreConnection | undefined
  let isStopped = false
  /** Why the store is down; empty: it has not been asked yet. */
  let fault: string | undefined = ""
  let timer: NodeJS.Timeout | undefined
  /** How often the store was lost since that was last logged. */
  let losses = 0
  /** Until then no loss is logged, by the monotonic clock. */
  let quietUntil = 0
  let isLogged = false
  /** The bucket that a probe asks for: after a failed call the same one, because only that bucket may be at fault. */
  let probed = nobodys

  async function ask(time: number, id: string, bucket: Bucket, count: number): Promise<Grant> {
    connection ??= connectStore(address, lose)
    const current = connection
    try {
      return await within(time, current.take(id, bucket, count))
    } catch (error) {
      if (current === connection) probed = [id, bucket]
      current.close(error as Error)
      throw error
    }
  }

  /**
   * A store that was down must answer in half the time that a request may wait, because a request that comes while a
   * call is under way waits for two calls.
   */
  async function probe(): Promise<void> {
    const wasDown = Boolean(fault)
    try {
      if (fault !== undefined) await ask(connectTime, ...probed, 0)
      await ask(fault === undefined ? wait : wait / 2, ...probed, 0)
      if (fault === "" || isLogged) logger.info({ store: address.shown }, "rate limits shared")
      isLogged = false
      fault = undefined
      probed = nobodys
    } catch {
      if (wasDown) logLoss()
    }
    // Proxies that lost the store at the same time must not come back at the same time.
    if (!isStopped) timer = setTimeout(probe, probeInterval * (0.75 + clock.random() / 2))
  }

  function lose({ message, code }: NodeJS.ErrnoException): void {
    const isNews = !fault && !isStopped
    connection = undefined
    const advice = certificateAdvice(code)
    // Node's message is empty if a name has several addresses; for an untrusted certificate, it has advice of its own.
    fault = advice === "" ? message || code || "no connection" : `${code}${advice}`
    if (!isNews) return
    losses++
    logLoss()
  }

  /** At most once a minute, however often the store is lost. */
  function logLoss(): void {
    if (isLogged || isStopped || clock.monotonicNow() < quietUntil) return
    const times = losses
    logger.warn({ store: address.shown, fault, times }, "rate limits not shared: the store is down")
    losses = 0
    quietUntil = clock.monotonicNow() + quietTime
    isLogged = true
  }

  await probe()
  return {
    ask: (id, bucket, count) => ask(wait, id, bucket, count),
    fault: () => fault,
    stop() {
      isStopped = true
      clearTimeout(timer)
      connection?.close(new Error("stopped"))
    },
  }
}

/** The answer for the request at `index` of a batch: the first requests get the granted tokens. */
function allowanceAt(index: number, { granted, left, wait }: Grant, bucket: Bucket): Allowance {
  if (index >= granted) return exhausted(bucket, wait)
  return { kind: "allowed", limit: bucket.capacity, remaining: Math.floor(left + 1e-9) + granted - 1 - index }
}

function exhausted({ capacity }: Bucket, wait: number): Allowance {
  return { kind: "exhausted", limit: capacity, retryAfter: Math.max(1, Math.ceil(wait / 1000)) }
}

/** One proxy's part of a bucket. Like every bucket it holds at least one token, and refills at least one a day. */
function partOf({ capacity, refillPerSecond }: Bucket, proxies: number): Bucket {
  return {
    capacity: Math.max(1, capacity / proxies),
    refillPerSecond: Math.max(minRefill, refillPerSecond / proxies),
  }
}

/**
 * Rejects if `promise` takes longer than this many milliseconds. Data that has arrived by then is read first: after a
 * pause of this process its timers run before its sockets are read.
 */
function within<T>(milliseconds: number, promise: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    let last: NodeJS.Immediate | undefined
    const timer = setTimeout(() => {
      last = setImmediate(() => reject(new Error(`no response within ${Math.ceil(milliseconds)} ms`)))
    }, milliseconds)
    promise.then(resolve, reject).finally(() => {
      clearTimeout(timer)
      clearImmediate(last)
    })
  })
}

const nobodys: readonly [id: string, bucket: Bucket] = ["", { capacity: 1, refillPerSecond: 1 }]
const maxBuckets = 100_000
const connectTime = 2_000 // milliseconds
const quietTime = 60_000
const probeInterval = 1_000
