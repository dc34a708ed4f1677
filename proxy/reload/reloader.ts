import type { Logger } from "pino"
import { createBackoff } from "./backoff.ts"
import { type Fault, type Result, unavailable } from "./fault.ts"
import { createReloadLog, type ReloadResult, type ReloadStatus } from "./reload-log.ts"
import type { Source } from "./source.ts"

/** Keeps a value up to date with its source. It is replaced as a whole, by one assignment, never by something broken. */
export interface Reloader<Value> {
  readonly location: string
  /** The last good one; `undefined` until there is one. */
  readonly current: Value | undefined
  readonly status: Readonly<ReloadStatus>
  /** Looks at the source; forced, reads it whatever it seems. Never rejects. Reloads take turns; those that wait merge. */
  reload(isForced: boolean): Promise<ReloadResult>
  /** Reloads each time `interval` milliseconds after the last reload ended; never for 0. */
  poll(interval: number): void
  /** Gives up what is under way. From here on nothing is logged or counted. */
  stop(): void
}

export interface ReloaderConfig<Found, Value> {
  /** Names in log lines what the source has. */
  readonly what: "snapshots" | "keys"
  readonly source: Source<Found>
  /** Whether a change counts only when two looks in a row find the same: half a key file is often a key file, too. */
  readonly needsTwoLooks?: boolean
  load(found: Found, context: LoadContext<Value>): Promise<Loaded<Value>>
  /** Whether a loaded value is like the one before; never unless said. */
  isSame?(before: Value, after: Value): boolean
  onLoaded?(value: Value, before: Value | undefined): void
  readonly clock: ReloadClock
  readonly logger: Logger
}

export interface LoadContext<Value> {
  readonly previous: Value | undefined
  /** Why the value is made of what the cache holds; `undefined`: it is made of what the source has. */
  readonly fallback: Fault | undefined
  readonly signal: AbortSignal
}

/** A value and what is wrong with parts of it, or what is wrong with the whole. */
export type Loaded<Value> = { readonly kind: "good"; value: Value; faults: readonly Fault[] } | Fault

/** Milliseconds since the epoch, milliseconds that never go back, and a number in [0, 1). */
export type ReloadClock = { readonly [Name in "now" | "monotonicNow" | "random"]: () => number }

/**
 * Decides what is current, what is worth reading, when to try again and what is logged. A version is read once, and again
 * when it is forced or, ever more seldom, while what is wrong with it may pass by itself. Another version is read at once.
 */
export function createReloader<Found, Value>(config: ReloaderConfig<Found, Value>): Reloader<Value> {
  const { source, clock, logger, what, needsTwoLooks = false } = config
  const { location, cache } = source
  const log = createReloadLog(what, location, logger, clock.now)
  const backoff = createBackoff(clock.monotonicNow, clock.random)
  const stopping = new AbortController()
  const { signal } = stopping
  let current: Value | undefined
  /** What `current` was made of; before there is one, what the cache holds. */
  let known: Found | undefined
  let seen: string | undefined
  let tried: { readonly version: string; readonly result: Loaded<Value> } | undefined
  /** Whether the source could not even tell its version. */
  let isLost = false
  /** Whether what the cache holds may be better than what is current. */
  let wantsCache = cache !== undefined

  async function look(isForced: boolean): Promise<ReloadResult> {
    if (isLost && !isForced && backoff.isWaiting()) return waiting
    if (known === undefined && cache !== undefined) known = goodOf(await cache.read())
    const version = await source.version({ isForced, signal })
    const wasLost = isLost
    isLost = version.kind !== "good"
    if (version.kind !== "good") {
      backoff.failed()
      return fallBack(version)
    }
    const isSettled = isForced || !needsTwoLooks || version.value === seen
    seen = version.value
    const before = tried?.version === version.value ? tried.result : undefined
    log.noteUnsettled(before === undefined && !isSettled)
    if (before === undefined && !isSettled) return waiting
    if (before === undefined || isWhole(before)) backoff.reset()
    if (before !== undefined && !isForced) {
      if (isWhole(before)) return { kind: "unchanged" }
      if (wasLost) return before.kind === "good" ? { kind: "confirmed" } : refused(before)
      if (!mayPass(before) || backoff.isWaiting()) return waiting
    }
    return read(version.value, isForced)
  }

  async function read(version: string, isForced: boolean): Promise<ReloadResult> {
    backoff.failed() // until all of it is current
    const found = await source.read(known, { isForced, signal })
    const result = found.kind === "good" ? await load(found.value, undefined) : found
    tried = { version, result }
    if (found.kind !== "good") return fallBack(found)
    if (result.kind !== "good") return refused(result)
    known = found.value
    wantsCache = false
    const replaced = replace(result.value)
    if (!isWhole(result)) return replaced
    backoff.reset()
    await cache?.write(known).catch((err) => logger.warn({ err, location }, `${what} not kept in the cache`))
    return replaced
  }

  /** Nothing can be read. Until something from the source is current, what the cache holds is. */
  async function fallBack(fault: Fault): Promise<ReloadResult> {
    if (known === undefined || !wantsCache) return refused(fault)
    const result = await load(known, fault)
    wantsCache = mayPass(result)
    return result.kind === "good" ? replace(result.value) : refused(fault)
  }

  function load(found: Found, fallback: Fault | undefined): Promise<Loaded<Value>> {
    return config.load(found, { previous: current, fallback, signal })
  }

  function replace(value: Value): ReloadResult {
    const before = current
    current = value
    config.onLoaded?.(value, before)
    const isSame = before !== undefined && config.isSame?.(before, value) === true
    return { kind: isSame ? "confirmed" : "replaced" }
  }

  let turn: Promise<ReloadResult> = Promise.resolve(waiting)
  let queued: { isForced: boolean; readonly result: Promise<ReloadResult> } | undefined
  let timer: NodeJS.Timeout | undefined

  async function takeTurn(): Promise<ReloadResult> {
    const isForced = queued?.isForced === true
    queued = undefined
    if (signal.aborted) return waiting
    const result = await look(isForced).catch((error: Error) => refused(unavailable(error.message)))
    if (signal.aborted) return waiting
    const asked: ReloadResult = isForced && result.kind === "confirmed" ? { kind: "replaced" } : result
    log.note(asked, isForced)
    return asked
  }

  function reload(isForced: boolean): Promise<ReloadResult> {
    if (queued === undefined) {
      turn = turn.then(takeTurn)
      queued = { isForced, result: turn }
    }
    queued.isForced ||= isForced
    return queued.result
  }

  function poll(interval: number): void {
    const again = (): void => poll(interval)
    if (interval > 0 && !signal.aborted) timer = setTimeout(() => reload(false).then(again), interval)
  }

  function stop(): void {
    clearTimeout(timer)
    stopping.abort()
  }

  return {
    location,
    get current() {
      return current
    },
    status: log.status,
    reload,
    poll,
    stop,
  }
}

function isWhole(result: Loaded<unknown>): boolean {
  return result.kind === "good" && result.faults.length === 0
}

function mayPass(result: Loaded<unknown>): boolean {
  const faults = result.kind === "good" ? result.faults : [result]
  return faults.some(({ kind }) => kind === "unavailable")
}

function goodOf<T>(result: Result<T>): T | undefined {
  return result.kind === "good" ? result.value : undefined
}

function refused(fault: Fault): ReloadResult {
  return { kind: "refused", fault }
}

const waiting: ReloadResult = { kind: "waiting" }
