import type { Host } from "../host.ts"
import { createProgress as createLine } from "../progress.ts"

/** Counts files as they are sent. */
export interface Progress {
  /** One more is done. */
  readonly step: () => void
  readonly end: () => void
}

/** A line on a terminal that says how many of `total` files are sent. */
export function createProgress(
  total: number,
  host: Pick<Host, "isTerminal" | "env" | "stderr" | "monotonicNow">,
): Progress {
  const line = createLine("files sent:", host)
  let done = 0
  return { step: () => line.show(++done, total), end: line.end }
}
