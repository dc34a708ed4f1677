import type { Logger } from "pino"
import { backoff } from "./backoff.ts"
import { type Fault, type Result, unavailable } from "./fault.ts"
import type { Source } from "./source.ts"
import { createTurns } from "./turns.ts"

// Longer than most files, so that everything that decides when a source is read, and what is served then, is in one
// place.

/** Keeps a value up to date with its source. The value is replaced as a whole, by one assignment, and never by a broken one. */
export interface Reloader<Value> {
  readonly location: string
  /** The last good value; `undefined` until there is one. */
  readonly current: Value | undefined
  /** What is wrong with the source's current content; `undefined`: nothing, or only parts of it are bad. */
  readonly fault: Fault | undefined
  /** What is wrong with the cache; `null`: nothing; `undefined`: there is none. */
  readonly cacheFault: string | null | undefined
  /** How often the source had a new value; until it has one, `current` comes from the cache. */
  readonly replaced: number
  /** How often it had a fault. */
  readonly refused: number
  /**
   * When the source last had no fault at all, by the monotonic clock; `undefined`: it always had one, whatever the cache
   * has.
   */
  readonly goodAt: number | undefined
  /**
   * Checks the source; if forced, reads it even if it seems unchanged. Never rejects. Reloads take turns; those that
   * wait merge.
   */
  reload(isForced: boolean): Promise<ReloadResult>
  /** Reloads every `interval` milliseconds; never for 0. */
  poll(interval: number): void
  /** Gives up what is under way. From then on nothing is logged or counted. */
  stop(): void
}

/** The result of asking a source. */
export type ReloadResult =
  /** It has the current value, or an equal one. */
  | { readonly kind: "unchanged" }
  /** It should not be read yet: it may still be being written, or had a fault when it was last read. */
  | { readonly kind: "waiting" }
  | { readonly kind: "replaced" }
  | { readonly kind: "refused"; readonly fault: Fault }

export interface ReloaderConfig<Found, Value> {
  /** What the source has, for log lines. */
  readonly what: "snapshots" | "keys"
  readonly source: Source<Found>
  /** Whether a change counts only if it is found twice in a row: half a key file is often a valid key file. */
  readonly needsTwoLooks?: boolean
  load(found: Found, previous: Value | undefined, signal: AbortSignal): Promise<Result<Value>>
  /** What is wrong with parts of a value; nothing by default. */
  faultsOf?(value: Value): readonly Fault[]
  /** Whether a loaded value equals the previous one; never by default. */
  isSame?(before: Value, after: Value): boolean
  onLoaded?(value: Value, before: Value | undefined): void
  /** Further members of a reload's log line; none by default. */
  describe?(value: Value, before: Value | undefined): object
  readonly clock: ReloadClock
  readonly logger: Logger
}

/** Milliseconds since the epoch, and a clock in milliseconds that no one sets: for ages. */
export type Clock = { readonly [Name in "now" | "monotonicNow"]: () => number }

/** A clock, and a number in [0, 1). */
export interface ReloadClock extends Clock {
  readonly random: () => number
}

/**
 * Decides what is current, what to read, when to try again and what to log. A version is read once, and again if it is
 * forced or, at growing intervals, while its fault may be temporary. A new version is read immediately.
 */
export function createReloader<Found, Value>(config: ReloaderConfig<Found, Value>): Reloader<Value> {
  const { source, clock, logger, what, needsTwoLooks = false, faultsOf = () => [] } = config
  const { location, cache } = source
  const stopping = new AbortController()
  const { signal } = stopping
  const reloader = {
    location,
    current: undefined as Value | undefined,
    fault: undefined as Fault | undefined,
    cacheFault: cache && (null as string | null),
    replaced: 0,
    refused: 0,
    goodAt: undefined as number | undefined,
    reload: createTurns(takeTurn),
    poll,
    stop,
  }
  /** What `current` was made from; before there is one, what the cache has. */
  let known: Found | undefined
  /** What is wrong with the cache; `undefined`: nothing, or it is not needed. */
  let unusable: string | undefined
  /** The log line's members about `current`. */
  let described: object | undefined
  /** The version that the current check found; `undefined`: none yet. */
  let seen: string | undefined
  /** The last version that was tried, what was wrong with it, how often in a row it failed, and when to try again. */
  let tried = { version: seen, faults: [] as readonly Fault[], failures: 0, retryAt: 0 }
  /** The fault that was logged last, whether its end is still to be logged, and until when it is not logged again. */
  let told = { reason: undefined as string | undefined, isOpen: false, quietUntil: 0 }
  /** When a cache that could not be written is tried again, by the monotonic clock. */
  let cacheAgainAt = 0
  /** The version that must be found once more before it counts. */
  let pending: string | undefined

  async function check(isForced: boolean): Promise<ReloadResult> {
    // A validator counts only with what was accepted: a damaged answer, which may have the tag of the good one, would
    // never be sent again.
    const isAccepted = pending === undefined && tried.faults.length === 0
    const isEarly = !isForced && clock.monotonicNow() < tried.retryAt
    if (isEarly && tried.version === undefined) return waiting
    seen = undefined
    const cached = known === undefined ? await cache?.read() : undefined
    if (cached?.kind === "good") known = cached.value
    unusable = cached?.kind === "good" ? undefined : cached?.message
    const canWait = reloader.current !== undefined || known === undefined
    const limited = canWait ? signal : AbortSignal.any([signal, AbortSignal.timeout(longestStart)])
    const ask = { isForced: isForced || !isAccepted, signal: limited }
    const version = await source.version(ask)
    if (version.kind !== "good") return fallBack(version)
    seen = version.value
    const isTried = seen === tried.version
    if (!isForced && !isTried && !isSettled(seen)) return waiting
    pending = undefined
    if (!isForced && isTried) {
      if (tried.faults.length === 0) {
        if (reloader.cacheFault && known !== undefined && clock.monotonicNow() >= cacheAgainAt)
          await keep(known)
        return { kind: "unchanged" }
      }
      if (isEarly || !mayPass(tried.faults)) return waiting
    }
    const found = await source.read(known, ask)
    if (found.kind !== "good") return fallBack(found)
    const loaded = await config.load(found.value, reloader.current, signal)
    if (loaded.kind !== "good") return fallBack(loaded)
    known = found.value
    const isSame = replace(loaded.value) && reloader.replaced > 0
    // Even if the same value is served: it may have been published later, and after a restart nothing older may be
    // accepted.
    if (faultsOf(loaded.value).length === 0) await keep(known)
    return isSame && !isForced ? { kind: "unchanged" } : { kind: "replaced" }
  }

  /** Writes into the cache; logs a fault once. */
  async function keep(value: Found): Promise<void> {
    if (cache === undefined) return
    const before = reloader.cacheFault
    try {
      await cache.write(value)
      reloader.cacheFault = null
      if (before) logger.info({ location, folder: cache.location }, `${what} kept in the cache again`)
    } catch (err) {
      const { message } = err as Error
      reloader.cacheFault = `cannot write ${cache.location}: ${message}`
      cacheAgainAt = clock.monotonicNow() + cachePause
      if (before !== reloader.cacheFault)
        logger.warn({ err, location, folder: cache.location }, `${what} not kept in the cache`)
    }
  }

  function isSettled(version: string): boolean {
    if (!needsTwoLooks || version === pending) return true
    pending = version
    return false
  }

  /** Handles a fault. At the start the known value comes from the cache, and may be better than the current one. */
  async function fallBack(fault: Fault): Promise<ReloadResult> {
    const { current } = reloader
    const isWanted = current === undefined || mayPass(faultsOf(current))
    const loaded = known !== undefined && isWanted ? await config.load(known, current, signal) : undefined
    if (loaded?.kind === "good") replace(loaded.value)
    if (loaded?.kind === "good" && current === undefined)
      logger.warn({ location, reason: fault.message }, `${what} taken from the cache`)
    if (unusable === undefined) return refused(fault)
    const message = `${fault.message}; the cache ${cache?.location} does not help: ${unusable}`
    return refused({ ...fault, message })
  }

  /** Makes a value the current one; returns whether it is like the previous one. */
  function replace(value: Value): boolean {
    const before = reloader.current
    reloader.current = value
    config.onLoaded?.(value, before)
    described = before && config.describe?.(value, before)
    return before !== undefined && config.isSame?.(before, value) === true
  }

  /** Logs the current fault once; one that comes and goes at most once a minute, until there is a new value. */
  function tell(isForced: boolean, isFirst: boolean): void {
    const reason = reloader.fault?.message
    const isKnown = reason === told.reason && (told.isOpen || clock.monotonicNow() < told.quietUntil)
    if (reason === undefined || (isKnown && !isForced)) return
    if (!isFirst) logger.error({ location, reason }, `${what} refused; the last good ones stay`)
    told = { reason, isOpen: true, quietUntil: clock.monotonicNow() + quietTime }
  }

  /** Records what was tried, counts every result, and logs it. */
  function note(result: ReloadResult, isForced: boolean): void {
    if (result.kind === "waiting") {
      tell(false, false)
      return
    }
    const { current, replaced, refused } = reloader
    const isFirst = replaced + refused === 0 // which the caller reports
    reloader.fault = result.kind === "refused" ? result.fault : undefined
    const parts = current === undefined ? [] : faultsOf(current)
    const faults = reloader.fault === undefined ? parts : [reloader.fault]
    const failures = faults.length === 0 ? 0 : seen === tried.version ? tried.failures + 1 : 1
    const retryAt = clock.monotonicNow() + backoff(failures, clock.random())
    tried = { version: seen, faults, failures, retryAt }
    if (faults.length === 0) reloader.goodAt = clock.monotonicNow()
    if (result.kind === "refused") {
      reloader.refused++
      tell(isForced, isFirst)
      return
    }
    const isReplaced = result.kind === "replaced"
    if (isReplaced) reloader.replaced++
    if (isReplaced && !isFirst) logger.info({ location, ...described }, `${what} reloaded`)
    if (!isReplaced && told.isOpen) logger.info({ location }, `${what} can be read again`)
    told = { ...told, isOpen: false, quietUntil: isReplaced ? 0 : told.quietUntil }
  }

  async function takeTurn(isForced: boolean): Promise<ReloadResult> {
    if (signal.aborted) return waiting
    const result = await check(isForced).catch(({ message }) => refused(unavailable(message)))
    if (signal.aborted) return waiting
    note(result, isForced)
    return result
  }

  let timer: NodeJS.Timeout | undefined

  function poll(interval: number): void {
    if (interval > 0) timer = setInterval(() => void reloader.reload(false), interval)
  }

  function stop(): void {
    clearInterval(timer)
    stopping.abort()
  }

  return reloader
}

function mayPass(faults: readonly Fault[]): boolean {
  return faults.some(({ kind }) => kind === "unavailable")
}

/** Milliseconds until a cache that could not be written is tried again. */
const cachePause = 60_000

/** Milliseconds in which a fault that comes and goes is logged once. */
const quietTime = 60_000

/** Milliseconds that a source may take at the start if the cache has a value. */
const longestStart = 2_000

const waiting: ReloadResult = { kind: "waiting" }

const refused = (fault: Fault): ReloadResult => ({ kind: "refused", fault })
