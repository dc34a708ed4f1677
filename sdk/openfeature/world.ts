import { get as getPlain } from "node:http"
import { get as getSecure } from "node:https"
import { Readable } from "node:stream"
import { setImmediate as nextTurn } from "node:timers/promises"

/** Everything that the provider needs from the machine: time, timers, requests and random numbers. */
export interface World {
  readonly fetch: typeof fetch
  /** Requests an answer that has no end. */
  readonly openStream: (address: string, init: StreamInit) => Promise<Response>
  /** Wall clock, milliseconds since the epoch. */
  readonly now: () => number
  /** A number in [0, 1). */
  readonly random: () => number
  /**
   * Runs `task` after this many milliseconds, unless the returned function is called first. Does not keep the process
   * alive.
   */
  readonly schedule: (milliseconds: number, task: () => void) => () => void
  /** Lets all other waiting work run. */
  readonly breathe: () => Promise<void>
}

/** How a stream is requested; `fetch` also accepts it. */
export interface StreamInit {
  readonly headers: Readonly<Record<string, string>>
  readonly redirect: "manual"
  readonly signal: AbortSignal
}

/** The machine that this runs on. */
export const machine: World = {
  fetch: (...request) => fetch(...request),
  openStream,
  now: Date.now,
  random: Math.random,
  schedule(milliseconds, task) {
    const timer = setTimeout(task, milliseconds)
    timer.unref()
    return () => clearTimeout(timer)
  },
  breathe: () => nextTurn(),
}

/** Opens a stream without `fetch`, whose open streams keep the process alive. */
function openStream(address: string, { headers, signal }: StreamInit): Promise<Response> {
  return new Promise((resolve, reject) => {
    const get = address.startsWith("https:") ? getSecure : getPlain
    const request = get(address, { headers, signal }, (message) => {
      const names = ["content-type", "retry-after"] as const
      const sent = names.flatMap((name) => (message.headers[name] ? [[name, message.headers[name]]] : []))
      const body = Readable.toWeb(message) as ReadableStream<Uint8Array>
      try {
        resolve(new Response(body, { status: message.statusCode ?? 0, headers: Object.fromEntries(sent) }))
      } catch (error) {
        // A status without a body, or an invalid one: thrown from here, it would end the application.
        message.destroy()
        reject(error)
      }
    })
    request.once("socket", (socket) => socket.unref()).once("error", reject)
  })
}
