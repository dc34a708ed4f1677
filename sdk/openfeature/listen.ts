import { failed, refusal } from "./ask-for-document.ts"
import { delayOf } from "./delay.ts"
import type { RemoteConfig } from "./options.ts"
import type { World } from "./world.ts"

/** The callbacks and the state of a client that listens to a proxy. */
export interface Heard {
  /** The tag of the current document; `undefined`: none. */
  etag(): string | undefined
  /** The proxy now has the document with this tag, usually a new one. */
  onChange(tag: string): void
  /** The proxy has started or stopped sending events. */
  onListening(isListening: boolean): void
}

/** Listens to a proxy and reconnects; the returned function stops it. A stream that is silent for too long counts as broken. */
export function listen(
  address: string,
  { shown, headers }: Pick<RemoteConfig, "shown" | "headers">,
  world: Pick<World, "openStream" | "schedule" | "now" | "random">,
  heard: Heard,
): () => void {
  const stopping = new AbortController()
  let failures = 0
  let cancel = (): void => {}

  async function open(): Promise<void> {
    const silence = new AbortController()
    let cancelSilence = world.schedule(longestSilence, () => silence.abort())
    const begin = world.now()
    let failure = failed("the stream broke")
    let isListening = false
    try {
      const etag = heard.etag()
      const response = await world.openStream(address, {
        headers: {
          accept: "text/event-stream",
          ...headers,
          ...(etag !== undefined && { "last-event-id": etag }),
        },
        redirect: "manual",
        signal: AbortSignal.any([stopping.signal, silence.signal]),
      })
      const isStream = response.headers.get("content-type")?.startsWith("text/event-stream") === true
      if (response.status === 200 && isStream)
        for await (const { id, data } of eventsOf(response)) {
          if (stopping.signal.aborted) return
          cancelSilence()
          cancelSilence = world.schedule(longestSilence, () => silence.abort())
          if (!isListening) heard.onListening(true)
          isListening = true
          if (data) heard.onChange(id)
        }
      else {
        await response.body?.cancel()
        failure = refusal(shown, response, world.now())
        // The server has no events, and will have none soon.
        if (response.status < 500 && response.status !== 429) failure = { ...failure, isRefused: true }
      }
    } catch {
      // The network failed, or the stream was silent for too long: try again.
    } finally {
      cancelSilence()
    }
    if (stopping.signal.aborted) return
    if (isListening) heard.onListening(false)
    const wasGood = isListening && world.now() - begin >= shortLife
    failures = wasGood ? 0 : failures + 1
    const chance = world.random()
    const delay = wasGood
      ? spreadOfEnds * chance // a proxy that stops ends all its streams at the same time
      : delayOf({ pollInterval: slowestTry, failure, failures, hasFlags: false }, chance)
    cancel = world.schedule(delay, () => void open())
  }

  void open()
  return () => {
    stopping.abort()
    cancel()
  }
}

/** Milliseconds; a comment comes every 20 s. */
const longestSilence = 60_000

/**
 * Milliseconds. A stream that ends sooner, after at most one comment, counts as a failure: something in between cuts it
 * off.
 */
const shortLife = 30_000

/** Milliseconds. */
const slowestTry = 60_000
const spreadOfEnds = 4_000

/** The blocks of a stream, including comments. */
async function* eventsOf({
  body,
}: Response): AsyncGenerator<{ readonly id: string; readonly data: boolean }> {
  const decoder = new TextDecoder()
  let text = ""
  for await (const chunk of body ?? []) {
    text += decoder.decode(chunk, { stream: true })
    const blocks = text.split(/\r?\n\r?\n/)
    text = blocks.pop() ?? ""
    if (text.length > longestBlock) throw new Error("not a Flagstone event stream")
    for (const block of blocks)
      yield { id: /^id: ?(.*)$/m.exec(block)?.[1] ?? "", data: /^data:/m.test(block) }
  }
}

/** In characters. */
const longestBlock = 16 * 1024
