import { parseSnapshot } from "../../proxy/contract/snapshot.ts"
import { askForDocument, type Failed, type Fetched, failed } from "./ask-for-document.ts"
import { createCacheFile } from "./cache-file.ts"
import { changedFlags } from "./changed-flags.ts"
import { delayOf } from "./delay.ts"
import { createFlags, type Flags } from "./flags.ts"
import { listen } from "./listen.ts"
import type { RemoteConfig } from "./options.ts"
import type { World } from "./world.ts"

/** Called when something happens to the flags that are followed. */
export interface FollowListener {
  /** The server gives flags again, after `start` failed or the flags were stale. */
  onReady(): void
  /** The flags changed: each of these may have a different value for some user. */
  onChanged(keys: readonly string[]): void
  /** The flags may no longer be current. */
  onStale(reason: string): void
  /** Another problem to report. */
  onWarning(message: string): void
}

/** Flags that are kept up to date. Once there are flags, there always are. */
export interface Follower {
  /** `undefined`: there are none yet. */
  readonly flags: Flags | undefined
  /** Starts to follow the document; call it once. Resolves with the failure if the first request gives no flags. */
  start(): Promise<Failed | undefined>
  /** Ends everything under way. The listener gets no more events. Resolves when the cache file is complete. */
  stop(): Promise<void>
}

export function followDocument(config: RemoteConfig, world: World, listener: FollowListener): Follower {
  const stopping = new AbortController()
  const { signal } = stopping
  const cache = config.cacheFile === undefined ? undefined : createCacheFile(config.cacheFile, world.random)
  let flags: Flags | undefined
  let etag: string | undefined
  /** The text that the flags were made from: not every server has tags, and some have several for one document. */
  let taken: string | undefined
  let failures = 0
  /** Whether the server has said when to ask again, or has refused the key. */
  let isTurnedAway = false
  /** Whether the listener believes that the flags are current. */
  let isTrusted = true
  /** Resolves when the cache file has the flags; only `stop` waits for it. */
  let kept = Promise.resolve()
  let cancelLook = () => {}
  let cancelStale = () => {}
  /** Stops listening; `undefined`: it has not begun. */
  let stopListening: (() => void) | undefined
  let isListening = false
  let isLooking = false
  /** Whether a change was announced during a request. */
  let isChanged = false
  /** The tag of the last event; `undefined`: none yet. */
  let wanted: string | undefined

  async function look(): Promise<Failed | undefined> {
    isLooking = true
    isChanged = false
    const answer = await askForDocument(config, etag, world, signal)
    // Even a document that makes this throw must not stop the application.
    const failure = await take(answer).catch(({ message }: Error) => failed(`${config.shown}: ${message}`))
    isLooking = false
    if (signal.aborted) return closed
    failures = failure === undefined ? 0 : failures + 1
    isTurnedAway = failure !== undefined && (failure.isRefused || failure.retryAfter !== undefined)
    planLook(failure)
    if (failure === undefined) confirm()
    else if (isListening && failures === 1) awaitAnswer()
    if (failure === undefined && answer.kind !== "failed" && answer.isProxy) startListening()
    return failure
  }

  function planLook(failure?: Failed): void {
    const isGood = isListening && failure === undefined
    const isCalm = isGood && hasWanted()
    const pollInterval = isCalm ? Math.max(config.pollInterval, listeningInterval) : config.pollInterval
    const delay = delayOf({ pollInterval, failure, failures, hasFlags: flags !== undefined }, world.random())
    cancelLook()
    cancelLook = world.schedule(isChanged && isGood && !isCalm ? 0 : delay, () => void lookAgain())
  }

  /** Whether the announced document has arrived: the proxy that answers may not have it yet. */
  function hasWanted(): boolean {
    return wanted === undefined || etag?.includes(wanted) === true
  }

  /** Notes that the flags are current until the stream or a poll says otherwise. */
  function confirm(): void {
    cancelStale()
    if (!isListening) awaitAnswer()
  }

  function awaitAnswer(): void {
    cancelStale = world.schedule(config.staleAfter, () => distrust("no valid answer for too long"))
  }

  function startListening(): void {
    if (config.eventsAddress === undefined) return
    stopListening ??= listen(config.eventsAddress, config, world, {
      etag: () => etag,
      onChange(tag) {
        wanted = tag
        if (hasWanted()) return
        isChanged = true
        if (!isLooking && !isTurnedAway) lookNow()
      },
      onListening(isNow) {
        isListening = isNow
        wanted = undefined // a stream begins with what is new
        if (failures === 0) confirm()
        if (isLooking || failures > 0) return // a request is planned, or under way and will plan the next one
        if (isTrusted) planLook()
        else lookNow()
      },
    })
  }

  function lookNow(): void {
    cancelLook()
    void lookAgain()
  }

  async function lookAgain(): Promise<void> {
    const failure = await look()
    if (signal.aborted) return
    if (failure === undefined && !isTrusted) {
      isTrusted = true
      listener.onReady()
    }
    if (failure?.isRefused) distrust(failure.reason)
  }

  function distrust(reason: string): void {
    if (!isTrusted || flags === undefined) return
    isTrusted = false
    cancelStale()
    listener.onStale(reason)
  }

  async function take(answer: Fetched): Promise<Failed | undefined> {
    if (signal.aborted) return closed
    if (answer.kind === "failed") return answer
    if (answer.kind === "same") return undefined
    if (answer.text === taken) {
      etag = answer.etag
      kept = kept.then(() => keep(answer.text))
      return undefined
    }
    const parsed = parseSnapshot(answer.text)
    if (parsed.kind === "invalid")
      return failed(`${config.shown} is not a document of flags: ${parsed.reason}`)
    const next = await createFlags(parsed.value, world.breathe)
    if (signal.aborted) return closed
    const before = flags
    flags = next
    etag = answer.etag
    taken = answer.text
    const changed = before === undefined ? [] : changedFlags(before.document, next.document)
    if (changed.length > 0) listener.onChanged(changed)
    kept = kept.then(() => keep(answer.text))
    return undefined
  }

  async function keep(text: string): Promise<void> {
    await cache?.write(text).catch(({ message }: Error) => {
      listener.onWarning(`the flags cannot be saved for the next start: ${message}`)
    })
  }

  /** The last flags that this or another process had. */
  async function readCache(): Promise<Flags | undefined> {
    const parsed = parseSnapshot((await cache?.read()) ?? "")
    return parsed.kind === "valid" ? createFlags(parsed.value, world.breathe) : undefined
  }

  return {
    get flags() {
      return flags
    },
    async start() {
      const failure = await look()
      if (failure === undefined || signal.aborted) return failure
      const cached = await readCache()
      if (signal.aborted) return closed
      if (flags !== undefined) return undefined // the next request was faster
      flags = cached
      if (flags === undefined) {
        isTrusted = false
        return failure
      }
      // The caller believes that flags are current when it gets them, so the event that they are stale comes after
      // that.
      cancelStale = world.schedule(0, () => distrust(failure.reason))
      return undefined
    },
    stop() {
      stopping.abort()
      stopListening?.()
      cancelLook()
      cancelStale()
      return kept
    },
  }
}

const closed = failed("the provider was closed")

/** Milliseconds between two polls while a proxy sends events. */
const listeningInterval = 300_000
