import type { Host } from "./host.ts"

/** A line on a terminal with the progress of a long task. */
export interface Progress {
  readonly show: (done: number, all: number) => void
  /** Removes the line, if it is shown. */
  readonly end: () => void
}

/** Milliseconds: shorter waits need no explanation. */
const quietTime = 1000

/** Shows nothing if stderr is not a terminal, or in CI, whose logs would keep every update of the line. */
export function createProgress(
  verb: string,
  host: Pick<Host, "stderr" | "isTerminal" | "env" | "monotonicNow">,
): Progress {
  if (!host.isTerminal.stderr || (host.env.CI ?? "") !== "") return { show: () => {}, end: () => {} }
  const startedAt = host.monotonicNow()
  let shown = false
  return {
    show: (done, all) => {
      if (host.monotonicNow() - startedAt < quietTime) return
      shown = true
      host.stderr.write(`\r${verb} ${done} of ${all}\u001b[K`)
    },
    end: () => {
      if (shown) host.stderr.write("\r\u001b[K")
      shown = false
    },
  }
}
