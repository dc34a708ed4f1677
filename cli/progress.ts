import type { Host } from "./host.ts"

/** One line on a terminal that says how far a long work is. */
export interface Progress {
  readonly show: (done: number, all: number) => void
  /** Takes the line away, if there is one. */
  readonly end: () => void
}

/** Shorter waits need no explanation. Milliseconds. */
const patience = 1000

/** A line for people: none where stderr is no terminal, and none in CI, whose logs keep every state of it. */
export function createProgress(
  verb: string,
  host: Pick<Host, "stderr" | "isTerminal" | "env" | "monotonicNow">,
): Progress {
  if (!host.isTerminal.stderr || (host.env.CI ?? "") !== "") return { show: () => {}, end: () => {} }
  const startedAt = host.monotonicNow()
  let shown = false
  return {
    show: (done, all) => {
      if (host.monotonicNow() - startedAt < patience) return
      shown = true
      host.stderr.write(`\r${verb} ${done} of ${all}\u001b[K`)
    },
    end: () => {
      if (shown) host.stderr.write("\r\u001b[K")
      shown = false
    },
  }
}
