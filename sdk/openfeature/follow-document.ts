import { askForDocument, type Failed, failed } from "./ask-for-document.ts"
import { delayOf } from "./delay.ts"
import type { Flags } from "./flags.ts"
import { listen } from "./listen.ts"
import type { RemoteConfig } from "./options.ts"
import { closed, createTakenDocument, type TakenDocument, type TakenListener } from "./taken-document.ts"
import type { World } from "./world.ts"

/** Called when something happens to the flags that are followed. */
export interface FollowListener extends TakenListener {
  /** The server gives flags again, after `start` failed or the flags were stale. */
  onReady(): void
  /** The flags may no longer be current. */
  onStale(reason: string): void
  /** The key is refused, and there are still no flags. */
  onRefused(reason: string): void
}

/** Flags that are kept up to date. Once there are flags, there always are. */
export interface Follower {
  /** `undefined`: there are none yet. */
  readonly flags: Flags | undefined
  /** The failure of the last request; `undefined`: its answer was good. */
  readonly failure: Failed | undefined
  /**
   * Starts to follow the document; call it once. Resolves with the failure if neither the first request nor the cache gives
   * flags, and there is no `fallback`. Waits for the first answer only for a short time if there are other flags.
   */
  start(fallback?: Flags): Promise<Failed | undefined>
  /** Ends everything under way. The listener gets no more events. Resolves when the cache file is complete. */
  stop(): Promise<void>
}

export function followDocument(config: RemoteConfig, world: World, listener: FollowListener): Follower {
  const stopping = new AbortController()
  const { signal } = stopping
  const taken = createTakenDocument(config, world, listener, signal)
  const trust = createTrust(config, world, listener, () => taken.flags !== undefined)
  const events = createEvents(config, world, taken, {
    onChange: () => polls.noteChange(),
    onListening: () => polls.noteListening(),
  })
  const polls = createPolls({ config, world, signal, taken, trust, events, listener })

  return {
    get flags() {
      return taken.flags
    },
    get failure() {
      return polls.failure
    },
    async start(fallback) {
      // An application may exit as soon as it has flags.
      const first = polls.look().finally(() => taken.saved())
      let failure = await unlessLate(first, config, world)
      if (failure === undefined || signal.aborted) return failure
      const isSaved = await taken.takeSaved(fallback)
      if (signal.aborted) return closed
      // The caller believes that flags are current when it gets them, so the event that they are stale comes after
      // that.
      if (isSaved) trust.withdrawAfter(0, failure.reason)
      if (taken.flags !== undefined) return undefined
      failure = await first
      if (failure === undefined || signal.aborted) return failure
      trust.deny()
      listener.onWarning(`there are no flags: ${failure.reason}`)
      return failure
    },
    stop() {
      stopping.abort()
      events.stop()
      polls.stop()
      trust.keep()
      return taken.saved()
    },
  }
}

/** The result of the first request, or a failure if it takes long. The request goes on. */
function unlessLate(
  first: Promise<Failed | undefined>,
  { shown }: RemoteConfig,
  world: World,
): Promise<Failed | undefined> {
  return new Promise((resolve, reject) => {
    const late = failed(`${shown} took more than 2 s to respond`)
    const cancel = world.schedule(longestFirstWait, () => resolve(late))
    void first.then(resolve, reject).finally(cancel)
  })
}

/** Milliseconds that a start waits for an answer if it has other flags: as long as a proxy with a cache. */
const longestFirstWait = 2_000

/** Whether the listener believes that the flags are current. It does at first. */
interface Trust {
  readonly isGiven: boolean
  /** Notes that the flags are current until the stream, if there is one, or a poll says otherwise. */
  confirm(isListening: boolean): void
  /** Withdraws the trust if there is no answer for too long. */
  awaitAnswer(): void
  /** Notes why the last answer was none. */
  noteFailure(reason: string): void
  /** Tells the listener that the flags may no longer be current, if it has flags and does not know yet. */
  withdraw(reason: string): void
  /** The same after a delay in milliseconds, unless the flags are confirmed before. */
  withdrawAfter(delay: number, reason: string): void
  /** Ends what would withdraw the trust later. */
  keep(): void
  /** There are no flags, and the listener knows. */
  deny(): void
  /** Tells the listener that the flags are current again, if it does not know yet. */
  restore(): void
}

function createTrust(
  { shown, staleAfter }: RemoteConfig,
  world: World,
  listener: FollowListener,
  hasFlags: () => boolean,
): Trust {
  let isGiven = true
  let cancel = () => {}
  let lastReason: string | undefined
  const trust: Trust = {
    get isGiven() {
      return isGiven
    },
    confirm(isListening) {
      cancel()
      lastReason = undefined
      if (!isListening) trust.awaitAnswer()
    },
    awaitAnswer() {
      cancel()
      const withdraw = () => trust.withdraw(lastReason ?? `${shown} gave no valid response for too long`)
      cancel = world.schedule(staleAfter, withdraw)
    },
    noteFailure(reason) {
      lastReason = reason
    },
    withdraw(reason) {
      if (!isGiven || !hasFlags()) return
      isGiven = false
      cancel()
      listener.onStale(reason)
    },
    withdrawAfter(delay, reason) {
      cancel()
      cancel = world.schedule(delay, () => trust.withdraw(reason))
    },
    keep: () => cancel(),
    deny() {
      isGiven = false
    },
    restore() {
      if (isGiven) return
      isGiven = true
      listener.onReady()
    },
  }
  return trust
}

/** What a proxy says about its document. */
interface Events {
  /** Whether the proxy is sending events now. */
  readonly isListening: boolean
  /** Whether the announced document has arrived: the proxy that answers may not have it yet. */
  hasAnnounced(): boolean
  /** Listens, if there is something to listen to. */
  start(): void
  stop(): void
}

function createEvents(
  config: RemoteConfig,
  world: World,
  taken: TakenDocument,
  heard: { onChange(): void; onListening(): void },
): Events {
  /** The tag of the last event; `undefined`: none yet. */
  let announced: string | undefined
  let isListening = false
  let stop: (() => void) | undefined
  const hasAnnounced = () => announced === undefined || taken.etag?.includes(announced) === true
  return {
    get isListening() {
      return isListening
    },
    hasAnnounced,
    start() {
      if (config.eventsAddress === undefined) return
      stop ??= listen(config.eventsAddress, config, world, {
        etag: () => taken.etag,
        onChange(tag) {
          announced = tag
          if (!hasAnnounced()) heard.onChange()
        },
        onListening(isNow) {
          isListening = isNow
          announced = undefined // a stream begins with what is new
          heard.onListening()
        },
      })
    },
    stop: () => stop?.(),
  }
}

/** What asks for the document, again and again. */
interface Polls {
  /** That of the last request. */
  readonly failure: Failed | undefined
  /** Asks once, and plans the next time. Resolves with the failure if there is no good answer. */
  look(): Promise<Failed | undefined>
  /** A different document was announced. */
  noteChange(): void
  /** The proxy has started or stopped sending events. */
  noteListening(): void
  stop(): void
}

interface PollsConfig {
  readonly config: RemoteConfig
  readonly world: World
  readonly signal: AbortSignal
  readonly taken: TakenDocument
  readonly trust: Trust
  readonly events: Events
  readonly listener: FollowListener
}

function createPolls({ config, world, signal, taken, trust, events, listener }: PollsConfig): Polls {
  let last: Failed | undefined
  let failures = 0
  /** Whether the server has said when to ask again, or has refused the key. */
  let isTurnedAway = false
  let isLooking = false
  /** Whether a change was announced during a request. */
  let isChanged = false
  let cancel = () => {}

  async function look(): Promise<Failed | undefined> {
    isLooking = true
    isChanged = false
    const answer = await askForDocument(config, taken.etag, world, signal)
    // Even a document that makes this throw must not stop the application.
    const failure = await taken
      .take(answer)
      .catch(({ message }: Error) => failed(`${config.shown}: ${message}`))
    isLooking = false
    if (signal.aborted) return closed
    last = failure
    failures = failure === undefined ? 0 : failures + 1
    isTurnedAway = failure !== undefined && (failure.isRefused || failure.retryAfter !== undefined)
    plan(failure)
    if (failure !== undefined) trust.noteFailure(failure.reason)
    if (failure === undefined) {
      trust.confirm(events.isListening)
      trust.restore()
    } else if (events.isListening && failures === 1) trust.awaitAnswer()
    if (failure === undefined && answer.kind !== "failed" && answer.isProxy) events.start()
    return failure
  }

  function plan(failure?: Failed): void {
    const isGood = events.isListening && failure === undefined
    const isCalm = isGood && events.hasAnnounced()
    const pollInterval = isCalm ? Math.max(config.pollInterval, listeningInterval) : config.pollInterval
    const hasFlags = taken.flags !== undefined
    const delay = delayOf({ pollInterval, failure, failures, hasFlags }, world.random())
    cancel()
    cancel = world.schedule(isChanged && isGood && !isCalm ? 0 : delay, () => void lookAgain())
  }

  async function lookAgain(): Promise<void> {
    cancel()
    const wasRefused = last?.isRefused
    const failure = await look()
    if (signal.aborted) return
    if (!failure?.isRefused) return
    trust.withdraw(failure.reason)
    if (taken.flags === undefined && !wasRefused) listener.onRefused(failure.reason)
  }

  return {
    get failure() {
      return last
    },
    look,
    noteChange() {
      isChanged = true
      if (!isLooking && !isTurnedAway) void lookAgain()
    },
    noteListening() {
      if (failures === 0) trust.confirm(events.isListening)
      if (isLooking || failures > 0) return // a request is planned, or under way and will plan the next one
      if (trust.isGiven) plan()
      else void lookAgain()
    },
    stop: () => cancel(),
  }
}

/** Milliseconds between two polls while a proxy sends events. */
const listeningInterval = 300_000
