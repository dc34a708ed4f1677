import type { Logger } from "pino"
import { createBackoff } from "./backoff.ts"
import { type Fault, type Good, mayPass, unavailable } from "./fault.ts"
import { createReloadLog, type ReloadResult, type ReloadStatus } from "./reload-log.ts"
import type { Source } from "./source.ts"

/** Keeps a value up to date with its source. It is replaced as a whole, by one assignment, never by something broken. */
export interface Reloader<Value> {
  readonly location: string
  /** The last good one; `undefined` until there is one. */
  readonly current: Value | undefined
  readonly status: ReloadStatus
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
  /** Called when a value has become current; `isNew` unless it is like the one before and nobody asked for it. */
  onLoaded?(value: Value, before: Value | undefined, isNew: boolean): void
  readonly clock: ReloadClock
  readonly logger: Logger
}

export interface ReloadClock {
  /** Milliseconds since the epoch. */
  readonly now: () => number
  /** Milliseconds that never go back. */
  readonly monotonicNow: () => number
  /** A number in [0, 1). */
  readonly random: () => number
}

export interface LoadContext<Value> {
  readonly previous: Value | undefined
  /** Why this is what the cache holds; `undefined`: it comes from the source. */
  readonly fallback: Fault | undefined
  readonly signal: AbortSignal
}

/** A value and what is wrong with parts of it, or what is wrong with the whole. */
export type Loaded<Value> = (Good<Value> & { readonly faults: readonly Fault[] }) | Fault

/**
 * Decides what is current, what is worth reading, when to try again and what is logged. A version is read once, and again
 * when it is forced or, ever more seldom, while what is wrong with it may pass by itself. Another version is read at once.
 */
export function createReloader<Found, Value>(config: ReloaderConfig<Found, Value>): Reloader<Value> {
  const { source, clock, logger, needsTwoLooks = false } = config
  const { location, cache } = source
  const log = createReloadLog(config.what, location, logger, clock)
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
    known ??= await readCache()
    const version = await source.version({ isForced, signal })
    const wasLost = isLost
    isLost = version.kind !== "good"
    if (version.kind !== "good") {
      backoff.failed()
      return fallBack(version, isForced)
    }
    const isSettled = isForced || !needsTwoLooks || version.value === seen
    seen = version.value
    const before = tried?.version === version.value ? tried.result : undefined
    log.noteUnsettled(before === undefined && !isSettled)
    if (before === undefined) {
      if (!isSettled) return waiting
      backoff.reset()
    } else if (!isForced) {
      const faults = faultsOf(before)
      if (faults.length === 0) backoff.reset()
      if (faults.length === 0) return { kind: "unchanged" }
      if (wasLost) return before.kind === "good" ? { kind: "confirmed" } : refused(before)
      if (!mayPass(faults) || backoff.isWaiting()) return waiting
    }
    return read(version.value, isForced)
  }

  async function read(version: string, isForced: boolean): Promise<ReloadResult> {
    backoff.failed() // until all of it is current
    const found = await source.read(known, { isForced, signal })
    const result = found.kind === "good" ? await load(found.value, undefined) : found
    tried = { version, result }
    if (found.kind !== "good") return fallBack(found, isForced)
    if (result.kind !== "good") return refused(result)
    known = found.value
    wantsCache = false
    if (result.faults.length > 0) return replace(result.value, isForced)
    backoff.reset()
    const replaced = replace(result.value, isForced)
    await cache
      ?.write(found.value)
      .catch((err) => logger.warn({ err, location }, `${config.what} not cached`))
    return replaced
  }

  /** Nothing can be read. Until something from the source is current, what the cache holds is. */
  async function fallBack(fault: Fault, isForced: boolean): Promise<ReloadResult> {
    if (known === undefined || !wantsCache) return refused(fault)
    const result = await load(known, fault)
    wantsCache = mayPass(faultsOf(result))
    return result.kind === "good" ? replace(result.value, isForced) : refused(fault)
  }

  async function readCache(): Promise<Found | undefined> {
    const kept = await cache?.read()
    return kept?.kind === "good" ? kept.value : undefined
  }

  function load(found: Found, fallback: Fault | undefined): Promise<Loaded<Value>> {
    return config.load(found, { previous: current, fallback, signal })
  }

  function replace(value: Value, isForced: boolean): ReloadResult {
    const before = current
    const isNew = isForced || before === undefined || config.isSame?.(before, value) !== true
    current = value
    config.onLoaded?.(value, before, isNew)
    return { kind: isNew ? "replaced" : "confirmed" }
  }

  let turn: Promise<unknown> = Promise.resolve()
  let queued: { isForced: boolean; readonly result: Promise<ReloadResult> } | undefined
  let timer: NodeJS.Timeout | undefined

  async function run(isForced: boolean): Promise<ReloadResult> {
    if (signal.aborted) return waiting
    const result = await look(isForced).catch((error: Error) => refused(unavailable(error.message)))
    if (signal.aborted) return waiting
    log.note(result, isForced)
    return result
  }

  function reload(isForced: boolean): Promise<ReloadResult> {
    if (queued === undefined) {
      const result = turn.then(() => {
        const isAnyForced = queued?.isForced ?? isForced
        queued = undefined
        return run(isAnyForced)
      })
      turn = result
      queued = { isForced, result }
    }
    queued.isForced ||= isForced
    return queued.result
  }

  function poll(interval: number): void {
    if (interval > 0 && !signal.aborted)
      timer = setTimeout(() => reload(false).then(() => poll(interval)), interval)
  }

  return {
    location,
    get current() {
      return current
    },
    status: log.status,
    reload,
    poll,
    stop() {
      clearTimeout(timer)
      stopping.abort()
    },
  }
}

function faultsOf(result: Loaded<unknown>): readonly Fault[] {
  return result.kind === "good" ? result.faults : [result]
}

function refused(fault: Fault): ReloadResult {
  return { kind: "refused", fault }
}

const waiting: ReloadResult = { kind: "waiting" }
