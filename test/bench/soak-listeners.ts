import { get, type IncomingMessage } from "node:http"
import { setTimeout as sleep } from "node:timers/promises"

// Clients of `bench:soak` that listen, as docs/read-api.md and docs/openfeature.md ask them to.

/** A client's document, and where it listens for changes. */
export interface Held {
  readonly revision: number
  readonly etag: string
  /** What events call it. */
  readonly tag: string
  readonly address: string
}

export interface Listener {
  readonly name: string
  /** When it first had each revision. */
  readonly had: Map<number, number>
  /** The times between which it had a stream. */
  readonly streams: { readonly from: number; until: number }[]
  events: number
  repeated: number
}

export interface ListenerParts {
  readonly name: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  /** Asks for what is served; returns `held` if that is still current. */
  readonly look: (held?: Held) => Promise<Held | undefined>
  readonly onOpened: (status: number, took: number) => void
  readonly onFault: (fault: string) => void
  readonly over: AbortSignal
  /** After how many minutes a stream may end, at the earliest and the latest. */
  readonly lifetime: readonly [number, number]
}

/** Listens until the end of the run, and reconnects whenever a stream ends. */
export function listen(parts: ListenerParts): Listener {
  const listener: Listener = { name: parts.name, had: new Map(), streams: [], events: 0, repeated: 0 }
  listenAgain(listener, parts).catch((error) => {
    if (!parts.over.aborted) parts.onFault(`${parts.name}: ${error}`)
  })
  return listener
}

async function listenAgain(listener: Listener, parts: ListenerParts): Promise<void> {
  const { name, url, headers, look, onOpened, onFault, over, lifetime } = parts
  let held = await look()
  const keep = (now: Held | undefined): void => {
    held = now
    if (now !== undefined && !listener.had.has(now.revision))
      listener.had.set(now.revision, performance.now())
  }
  keep(held)
  // A page's first request has no id; its address says what it has.
  let id = parts.headers.authorization === undefined ? undefined : held?.tag
  for (let retry = 1_000; ; await sleep(retry, undefined, { signal: over })) {
    const begin = performance.now()
    const seen = id === undefined ? undefined : { "last-event-id": id }
    const answer = await open(`${url}${held?.address}`, { ...headers, ...seen }, over)
    onOpened(answer?.statusCode ?? 0, performance.now() - begin)
    if (answer?.statusCode !== 200) continue
    const stream = { from: performance.now(), until: Number.POSITIVE_INFINITY }
    listener.streams.push(stream)
    try {
      for await (const event of eventsOf(answer)) {
        id = event.id ?? id
        retry = Number(event.retry ?? retry)
        if (event.data === undefined) continue
        listener.events++
        const { etag } = JSON.parse(event.data)
        if (etag !== `"${id}"`) onFault(`${name}: ${event.data} has the id ${id}`)
        if (id === held?.tag) {
          listener.repeated++
          continue
        }
        const before = held?.tag
        keep(await look(held))
        if (held?.tag === before) onFault(`${name}: told of ${id} when ${before} was still served`)
      }
    } catch (error) {
      if (!over.aborted) onFault(`${name}: a stream broke: ${error}`)
    }
    stream.until = performance.now()
    if (over.aborted) return
    const minutes = (stream.until - stream.from) / 60_000
    if (minutes < lifetime[0] - 0.05 || minutes > lifetime[1] + 0.2)
      onFault(`${name}: a stream ended after ${minutes.toFixed(1)} min`)
  }
}

/** A stream that breaks, or is silent for a minute, throws when it is read. */
function open(
  address: string,
  headers: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<IncomingMessage | undefined> {
  return new Promise((done) => {
    const sent = get(address, { headers, signal, agent: false, timeout: 60_000 }, done)
    sent.once("timeout", () => sent.destroy(new Error("silent for a minute")))
    sent.on("error", () => done(undefined))
  })
}

/** What each block of a stream says; a comment has no names. */
async function* eventsOf(answer: IncomingMessage): AsyncGenerator<Record<string, string>> {
  let text = ""
  for await (const chunk of answer.setEncoding("utf8")) {
    text += chunk
    const blocks = text.split("\n\n")
    text = blocks.pop() ?? ""
    for (const block of blocks)
      yield Object.fromEntries(
        [...block.matchAll(/^(\w+): ?(.*)$/gm)].map(([, name, value]) => [name, value]),
      )
  }
}

/** Opens a stream; the returned promise settles with its end. */
export async function holdOpen(
  url: string,
  headers: Readonly<Record<string, string>>,
  over: AbortSignal,
): Promise<{ readonly ended: Promise<void> }> {
  const answer = await open(url, headers, over)
  const ended = new Promise<void>((done) => answer?.once("close", done).resume())
  return { ended }
}
