import type { Logger } from "pino"
import type { Bucket } from "../contract/bucket.ts"
import { createBreaker } from "./breaker.ts"
import type { Grant } from "./lease.ts"
import { createOutageLog } from "./outage-log.ts"
import { startPatientTimer } from "./patient-timer.ts"
import type { RateLimitStore } from "./rate-limit-store.ts"
import { createSharedBucket, type Decisions, type SharedBucket, type TakeRequest } from "./shared-bucket.ts"
import type { StoreAddress } from "./store-address.ts"
import { connectStore, faultOf, type StoreConnection } from "./store-connection.ts"

/** Buckets that several proxies share, in Redis or what speaks its protocol. */
export interface SharedStore extends RateLimitStore {
  /** Without user and password. */
  readonly address: string
  readonly isUp: boolean
  /** Why it is not up. */
  readonly fault: string | undefined
  /** How many proxies were seen last, this one counted. */
  readonly proxies: number
  readonly decisions: Readonly<Decisions>
  /** Calls `listener` with the milliseconds that each answered call took. */
  onAnswer(listener: (milliseconds: number) => void): void
  /** Gives back what is leased and ends the connection, within half a second whatever the store does. */
  stop(): Promise<void>
}

export interface SharedStoreConfig {
  readonly address: StoreAddress
  /** Milliseconds that a request may wait for the store. */
  readonly wait: number
  readonly clock: { readonly monotonicNow: () => number; readonly random: () => number }
  readonly logger: Logger
}

/**
 * Connects and resolves, whether the store is there or not: while it is away, this proxy has local buckets, and no
 * request waits. Logs when that begins and when it ends.
 */
export async function openSharedStore(config: SharedStoreConfig): Promise<SharedStore> {
  const { address, wait, logger } = config
  const { monotonicNow, random } = config.clock
  const name = [random(), random()].map((number) => number.toString(36).slice(2)).join("")
  const buckets = new Map<string, SharedBucket>()
  const decisions: Decisions = { lease: 0, store: 0, local: 0 }
  const listeners: ((milliseconds: number) => void)[] = []
  let connection: StoreConnection | undefined
  let proxies = 1
  /** The call that failed is tried again before the store counts as back: one shard, or one rule of the ACL, may be at fault. */
  let failed: { readonly id: string; readonly bucket: Bucket } | undefined
  let stopping: Promise<void> | undefined

  const log = createOutageLog(logger, () => ({ store: address.shown, proxies }))
  const breaker = createBreaker({
    probe,
    random,
    onOpen(fault) {
      log.begin(fault)
      for (const bucket of buckets.values()) bucket.release()
    },
    onClose: log.end,
  })

  async function probe(): Promise<string | undefined> {
    try {
      const current = connection ?? (await connect())
      const begin = monotonicNow()
      proxies = await withDeadline(current.beat(name))
      const took = monotonicNow() - begin
      if (breaker.fault !== undefined && took > wait) return `an answer took ${Math.ceil(took)} ms`
      if (failed !== undefined) await withDeadline(current.take(failed.id, failed.bucket, nothing))
      failed = undefined
      return undefined
    } catch (error) {
      drop()
      return faultOf(error)
    }
  }

  async function connect(): Promise<StoreConnection> {
    let made: StoreConnection | undefined
    made = await connectStore(address, deadline, (fault) => {
      if (made === undefined || connection !== made) return
      drop()
      breaker.fail(fault)
    })
    connection = made
    await withDeadline(made.beat(name)) // the first call also brings the script
    return made
  }

  /** A new connection may lead elsewhere, because the name is resolved again. */
  function drop(): void {
    connection?.close()
    connection = undefined
  }

  async function ask(id: string, bucket: Bucket, asked: TakeRequest): Promise<Grant> {
    const current = connection
    const begin = monotonicNow()
    const cancelTimer = startPatientTimer(wait, () => breaker.fail(`no answer within ${wait} ms`))
    try {
      if (current === undefined) throw new Error("not connected")
      const grant = await current.take(id, bucket, asked)
      for (const tell of listeners) tell(monotonicNow() - begin)
      return grant
    } catch (error) {
      if (connection === current) {
        failed = { id, bucket }
        drop()
        breaker.fail(faultOf(error))
      }
      throw error
    } finally {
      cancelTimer()
    }
  }

  function open(id: string, bucket: Bucket): SharedBucket {
    const opened = createSharedBucket(bucket, {
      ask: (current, asked) => ask(id, current, asked),
      isAway: () => breaker.isOpen,
      proxies: () => proxies,
      wait,
      monotonicNow,
      decisions,
    })
    buckets.set(id, opened)
    return opened
  }

  const sweeper = setInterval(() => {
    const now = monotonicNow()
    for (const [id, bucket] of buckets) {
      if (bucket.isIdle(now)) buckets.delete(id)
      else bucket.settle()
    }
  }, sweepInterval)

  async function end(): Promise<void> {
    clearInterval(sweeper)
    const isUp = !breaker.isOpen
    breaker.stop()
    log.stop()
    if (isUp) {
      const gifts = [...buckets.values()].map((bucket) => bucket.giveBack())
      await withDeadline(Promise.allSettled([...gifts, connection?.leave(name)]), farewell).catch(
        () => undefined,
      )
    }
    drop()
  }

  await breaker.start()
  return {
    take: (id, bucket, now) => (buckets.get(id) ?? open(id, bucket)).take(bucket, now),
    address: address.shown,
    get isUp() {
      return !breaker.isOpen
    },
    get fault() {
      return breaker.fault
    },
    get proxies() {
      return proxies
    },
    decisions,
    onAnswer: (listener) => void listeners.push(listener),
    stop() {
      stopping ??= end()
      return stopping
    },
  }
}

const nothing: TakeRequest = { settle: 0, need: 0, lease: 0 }

/** Milliseconds: for a connection or a sign of life, for giving back at the end, and between two looks for unused tokens. */
const deadline = 2_000
const farewell = 500
const sweepInterval = 100

/** Rejects when `promise` takes longer than so many milliseconds. */
async function withDeadline<T>(promise: Promise<T>, milliseconds = deadline): Promise<T> {
  let cancelTimer = (): void => {}
  const late = new Promise<never>((_, reject) => {
    cancelTimer = startPatientTimer(milliseconds, () =>
      reject(new Error(`no answer within ${milliseconds} ms`)),
    )
  })
  return Promise.race([promise, late]).finally(cancelTimer)
}
