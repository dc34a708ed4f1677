import type { Host } from "../host.ts"
import { createProgress } from "../progress.ts"

/** Counts files as they are sent. */
export interface SendProgress {
  /** Counts one more file. */
  readonly step: () => void
  readonly end: () => void
}

/** A line on a terminal that says how many of `total` files are sent. */
export function createSendProgress(
  total: number,
  host: Pick<Host, "isTerminal" | "env" | "stderr" | "monotonicNow">,
): SendProgress {
  const line = createProgress("files sent:", host)
  let done = 0
  return { step: () => line.show(++done, total), end: line.end }
}
