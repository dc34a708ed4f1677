import { setImmediate as nextTurn } from "node:timers/promises"
import type { World } from "../../../sdk/openfeature/world.ts"
import { wallClock } from "../../proxy/fixtures.ts"

/** What a provider sent, and when. */
export interface Sent {
  /** Milliseconds since the world began. */
  readonly at: number
  readonly url: string
  readonly headers: Headers
}

/** A world whose time passes when a test says so. */
export interface TestWorld extends World {
  readonly sent: readonly Sent[]
  /** The requests that have not ended. */
  readonly opened: readonly Sent[]
  /** Answers requests from now on. */
  respond: (url: string, init: RequestInit) => Promise<Response>
  breathe: World["breathe"]
  /** Lets time pass, and resolves when everything due is done. */
  pass(milliseconds: number): Promise<void>
  /** Resolves when everything is idle or waiting. */
  settled(): Promise<void>
  /** How many tasks are waiting. */
  readonly waiting: number
}

/** `random` is in the middle, which spreads nothing. */
export function createTestWorld(respond: TestWorld["respond"]): TestWorld {
  const sent: Sent[] = []
  const opened: Sent[] = []
  const tasks = new Set<{ readonly at: number; readonly run: () => void }>()
  let time = 0

  async function settled(): Promise<void> {
    for (let turn = 0; turn < 30; turn++) await nextTurn() // a proxy in memory needs less
  }

  const world: TestWorld = {
    sent,
    opened,
    respond,
    settled,
    now: () => wallClock + time,
    random: () => 0.5,
    breathe: () => nextTurn(),
    get waiting() {
      return tasks.size
    },
    async fetch(url, init = {}) {
      sent.push({ at: time, url: String(url), headers: new Headers(init.headers) })
      return world.respond(String(url), init)
    },
    openStream(url, init) {
      opened.push({ at: time, url, headers: new Headers(init.headers) })
      return world.respond(url, init)
    },
    schedule(milliseconds, run) {
      const task = { at: time + milliseconds, run }
      tasks.add(task)
      return () => tasks.delete(task)
    },
    async pass(milliseconds) {
      const end = time + milliseconds
      await settled()
      for (;;) {
        const [next] = [...tasks].filter(({ at }) => at <= end).sort((one, other) => one.at - other.at)
        if (next === undefined) break
        tasks.delete(next)
        time = next.at
        next.run()
        await settled()
      }
      time = end
    },
  }
  return world
}

/** A server that never answers, until the request is cancelled. */
export const never: TestWorld["respond"] = (_, { signal }) =>
  new Promise((_, reject) => signal?.addEventListener("abort", () => reject(signal.reason)))

/** A server that cannot be reached. */
export const unreachable: TestWorld["respond"] = async () => {
  throw new TypeError("fetch failed", {
    cause: Object.assign(new Error("refused"), { code: "ECONNREFUSED" }),
  })
}

export function answer(status: number, headers: Readonly<Record<string, string>> = {}): TestWorld["respond"] {
  return async () => new Response(null, { status, headers })
}
