/** Runs `task` after this many milliseconds, unless the returned function is called first. */
export type Schedule = (milliseconds: number, task: () => void) => () => void

/** A stream's listener. */
export interface Listener {
  /** The address block that the stream counts for. */
  readonly block: string
  /** Milliseconds until the stream ends by itself, give or take a fifth. */
  readonly lifetime: number
  /** Milliseconds until its key is no longer valid; `Infinity`: it stays valid. */
  keyLife(): number
  /** The entity tag of what is served now, without quotes; `undefined`: nothing is served, or the key may no longer listen. */
  current(): string | undefined
  /** The event for a tag, without its id. */
  format(tag: string): string
  /** How many bytes have left the body, but not the proxy. */
  buffered(): number
}

/** Where a stream's bytes go. A client for which there is no room in it reads too slowly. */
export type Body = Pick<
  ReadableStreamDefaultController<Uint8Array>,
  "enqueue" | "close" | "error" | "desiredSize"
>

/** All streams of a proxy. */
export interface EventStreams {
  readonly size: number
  /** Whether all have ended and no new one may begin. */
  readonly isOver: boolean
  /**
   * Whether an address block may open another stream. `share`, from 0 to 1, limits the part of all streams that may be
   * used.
   */
  hasRoom(block: string, share: number): boolean
  /**
   * Begins a stream. `seen` is the last id that the listener received; `undefined`: unknown. The returned function
   * forgets a listener that has gone away.
   */
  open(body: Body, listener: Listener, seen: string | undefined): () => void
  /**
   * Notifies the listeners whose document was replaced, and ends streams whose document or key is gone: in turns, because
   * the first listener with a list of globs costs milliseconds.
   */
  refresh(): void
  /** Ends all streams and lets none begin. */
  end(): void
}

export interface EventStreamsParts {
  /** How many streams there may be. */
  readonly most: number
  /** Milliseconds between every proxy's polls; 0: they do not poll. */
  readonly pollInterval: number
  /** Monotonic clock, in milliseconds. */
  readonly monotonicNow: () => number
  /** In [0, 1). */
  readonly random: () => number
  readonly schedule: Schedule
  /** Called for each event; `delay`: milliseconds since the replacement, if it is about one. */
  readonly onSent: (delay: number | undefined) => void
}

/**
 * An event only tells the client to ask again. It names what is served when it is sent, so replacements in quick
 * succession cause one event, and one that is undone causes none.
 */
export function createEventStreams(parts: EventStreamsParts): EventStreams {
  const { most, monotonicNow, random, schedule } = parts
  const streams = new Set<OpenStream>()
  const ofBlock = new Map<string, number>()
  let isOver = false
  let cancelRefresh = (): void => {}

  /** Whether it was open. */
  function forget(stream: OpenStream): boolean {
    if (!streams.delete(stream)) return false
    count(ofBlock, stream.listener.block, -1)
    for (const cancel of stream.timers.values()) cancel()
    return true
  }

  const { write, end, wait, tell, planBeat } = createWriter(parts, streams, forget)

  /** `since`: when the document was replaced. */
  function refreshInTurns(left: Iterator<OpenStream>, since: number): void {
    const spread = longestSpread * Math.min(1, streams.size / manyStreams)
    const endOfTurn = monotonicNow() + longestTurn
    for (let next = left.next(); !next.done; next = left.next()) {
      const stream = next.value
      const current = stream.listener.current()
      if (stream.listener.keyLife() < beatInterval) planBeat(stream)
      if (current === undefined) end(stream)
      else if (current !== stream.tag && !stream.timers.has("tell"))
        wait(stream, "tell", spread * random(), () => tell(stream, since))
      if (monotonicNow() < endOfTurn) continue
      cancelRefresh = schedule(0, () => refreshInTurns(left, since))
      return
    }
  }

  return {
    get size() {
      return streams.size
    },
    get isOver() {
      return isOver
    },
    hasRoom: (block, share) =>
      !isOver && streams.size < most * share && (ofBlock.get(block) ?? 0) < mostOfBlock,
    open(body, listener, seen) {
      const current = listener.current()
      if (current === undefined || isOver) {
        body.close()
        return () => {}
      }
      const stream: OpenStream = { body, listener, tag: seen ?? current, timers: new Map() }
      streams.add(stream)
      count(ofBlock, listener.block, 1)
      planBeat(stream)
      wait(stream, "end", listener.lifetime * (0.8 + 0.4 * random()), () => end(stream))
      const retry = Math.round(shortestRetry + spreadOfRetry * random())
      write(stream, `retry: ${retry}\nid: ${stream.tag}\n\n`)
      tell(stream)
      return () => void forget(stream)
    },
    refresh() {
      cancelRefresh()
      refreshInTurns(streams.values(), monotonicNow())
    },
    end() {
      isOver = true
      cancelRefresh()
      for (const stream of streams) end(stream)
    },
  }
}

/** Leaves no trace of a block without streams. */
function count(ofBlock: Map<string, number>, block: string, change: 1 | -1): void {
  const sum = (ofBlock.get(block) ?? 0) + change
  if (sum === 0) ofBlock.delete(block)
  else ofBlock.set(block, sum)
}

/** What is written to a stream that is open, and when. `forget` returns false for all others. */
function createWriter(
  { pollInterval, monotonicNow, random, schedule, onSent }: EventStreamsParts,
  streams: ReadonlySet<OpenStream>,
  forget: (stream: OpenStream) => boolean,
) {
  /** Milliseconds until an event is repeated, plus up to a fifth. */
  const repeats = pollInterval === 0 ? [] : [2 * pollInterval, cdnAge]

  function write(stream: OpenStream, text: string): void {
    if (!streams.has(stream)) return
    if ((stream.body.desiredSize ?? 0) > stream.listener.buffered()) stream.body.enqueue(Buffer.from(text))
    else drop(stream)
  }

  /** Forgets a stream before ending it: nothing may be written after the end, which a slow client receives late. */
  function end(stream: OpenStream): void {
    if (forget(stream)) stream.body.close()
  }

  /** Ends a stream with its connection. Without an error, srvx would leave both open until they have been silent for long. */
  function drop(stream: OpenStream): void {
    if (forget(stream)) stream.body.error(new Error("the client reads too slowly"))
  }

  function wait(stream: OpenStream, name: Timer, milliseconds: number, task: () => void): void {
    if (!streams.has(stream)) return
    const run = (): void => {
      stream.timers.delete(name)
      task()
    }
    stream.timers.get(name)?.()
    stream.timers.set(name, schedule(milliseconds, run))
  }

  /** `since`: when the document was replaced. */
  function tell(stream: OpenStream, since?: number): void {
    const tag = stream.listener.current()
    if (tag === undefined || tag === stream.tag) return
    stream.tag = tag
    write(stream, formatEvent(stream))
    onSent(since === undefined ? undefined : monotonicNow() - since)
    repeat(stream, 0)
  }

  /** Repeats an event: a client that asks may have reached a proxy that does not have the change yet. */
  function repeat(stream: OpenStream, round: number): void {
    const delay = repeats[round]
    if (delay === undefined) return
    wait(stream, "repeat", delay * (1 + 0.2 * random()), () => {
      write(stream, formatEvent(stream))
      repeat(stream, round + 1)
    })
  }

  /** The beat also ends a stream whose key has expired. */
  function planBeat(stream: OpenStream): void {
    const delay = Math.max(0, Math.min(beatInterval, stream.listener.keyLife()))
    wait(stream, "beat", delay, () => {
      if (stream.listener.current() === undefined) end(stream)
      else write(stream, ":\n\n")
      planBeat(stream)
    })
  }

  return { write, end, wait, tell, planBeat }
}

function formatEvent({ tag, listener }: OpenStream): string {
  return `id: ${tag}\n${listener.format(tag)}\n\n`
}

/** The body of an answer, which ends with a stream; `open` returns what is called when the client goes away. */
export function createBody(open: (body: Body) => () => void): ReadableStream {
  let forget: (() => void) | undefined
  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        forget = open(controller)
      },
      cancel: () => forget?.(),
    },
    new ByteLengthQueuingStrategy({ highWaterMark: mostUnread }),
  )
}

/** The maximum number of bytes that wait for a slow client. */
const mostUnread = 64 * 1024

/** What the timers of a stream are for. */
type Timer = "beat" | "end" | "tell" | "repeat"

interface OpenStream {
  readonly body: Body
  readonly listener: Listener
  /** The last tag that the listener was sent. */
  tag: string
  /** Functions that cancel them. */
  readonly timers: Map<Timer, () => void>
}

/**
 * Half the time after which intermediate proxies give up on a silent answer, and a third of the time that our provider
 * waits.
 */
const beatInterval = 20_000

/**
 * Milliseconds until a browser reconnects: less than the 30 s after which OpenFeature's provider gives up on a stream.
 */
const shortestRetry = 1_000
const spreadOfRetry = 4_000

/**
 * This many streams get an event within this many milliseconds, so that they do not all ask at the same time; fewer
 * streams get it sooner.
 */
const manyStreams = 10_000
const longestSpread = 2_000

/** Milliseconds after which a refresh lets other requests go ahead. */
const longestTurn = 5

/** Milliseconds for which a CDN may answer with the previous manifest (`max-age=30`). */
const cdnAge = 30_000

/** The maximum number of streams for one address block. */
const mostOfBlock = 100
