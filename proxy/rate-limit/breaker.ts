/** Whether the store is asked. It opens at the first failure, and closes at the first probe that is answered. */
export interface Breaker {
  readonly isOpen: boolean
  /** Why it is open; `undefined`: it is closed, or no probe has ended yet. */
  readonly fault: string | undefined
  /** Resolves after the first probe. */
  start(): Promise<void>
  fail(fault: string): void
  /** Opens it for good. */
  stop(): void
}

export interface BreakerParts {
  /** Asks the store for a sign of life. Resolves with what is wrong, or `undefined`; never rejects. */
  readonly probe: () => Promise<string | undefined>
  /** A number in [0, 1). */
  readonly random: () => number
  readonly onOpen: (fault: string) => void
  readonly onClose: () => void
}

/** It is open until the first probe. Probes come every `pulse` while it is closed, and about once a second while it is open. */
export function createBreaker({ probe, random, onOpen, onClose }: BreakerParts): Breaker {
  let state: "new" | "open" | "closed" | "stopped" = "new"
  let fault: string | undefined
  let timer: NodeJS.Timeout | undefined

  async function beat(): Promise<void> {
    timer = undefined
    const found = await probe()
    if (state === "stopped") return
    if (found === undefined) close()
    else fail(found)
    schedule()
  }

  /** Proxies that lost the store together must not come back together. */
  function schedule(): void {
    timer = setTimeout(beat, state === "closed" ? pulse : probeInterval * (0.75 + random() / 2))
  }

  function close(): void {
    fault = undefined
    if (state === "closed") return
    state = "closed"
    onClose()
  }

  function fail(reason: string): void {
    if (state === "stopped") return
    const wasOpen = state === "open"
    state = "open"
    fault = reason
    if (wasOpen) return
    onOpen(reason)
    if (timer === undefined) return // a probe is under way
    clearTimeout(timer)
    schedule()
  }

  return {
    get isOpen() {
      return state !== "closed"
    },
    get fault() {
      return fault
    },
    start: beat,
    fail,
    stop() {
      state = "stopped"
      clearTimeout(timer)
    },
  }
}

/** Milliseconds. */
const pulse = 2_000
const probeInterval = 1_000
