import type { Logger } from "pino"
import type { Reload, Reloadable } from "./reloadable.ts"

/** A reloadable that says what happens to it: in the log each trouble once, in numbers every time. */
export interface Watched<T> extends Reloadable<T> {
  readonly status: WatchStatus
}

export interface WatchStatus {
  readonly replaced: number
  readonly refused: number
  /** When the source was last read, or found unchanged, without trouble; milliseconds since the epoch. */
  readonly goodAt: number | undefined
  /** What is wrong with what the source has now; `undefined`: nothing. */
  readonly trouble: string | undefined
}

/** `what` names it in log lines. */
export function createWatched<T>(
  what: "snapshots" | "keys",
  reloadable: Reloadable<T>,
  parts: { readonly logger: Logger; readonly now: () => number },
): Watched<T> {
  const { location } = reloadable
  const { logger, now } = parts
  const status: { -readonly [Name in keyof WatchStatus]: WatchStatus[Name] } = {
    replaced: 0,
    refused: 0,
    goodAt: undefined,
    trouble: undefined,
  }

  function note(outcome: Reload, force: boolean): void {
    if (outcome.kind === "waiting") return
    if (outcome.kind === "confirmed" && status.trouble === undefined) return
    if (outcome.kind === "refused") {
      status.refused++
      const reason = outcome.error.message
      const isFirst = status.refused === 1 && status.replaced === 0 // and for who starts it to say
      if (!isFirst && (reason !== status.trouble || force))
        logger.error({ location, reason }, `${what} refused; the last good ones stay`)
      status.trouble = reason
      return
    }
    if (outcome.kind === "unchanged" && status.trouble !== undefined)
      logger.info({ location }, `${what} are good again`)
    status.trouble = undefined
    status.goodAt = now()
    if (outcome.kind === "unchanged") return
    if (outcome.kind === "confirmed") return void logger.info({ location }, `${what} can be read again`)
    status.replaced++
    if (status.replaced > 1) logger.info({ location }, `${what} reloaded`)
  }

  return {
    location,
    get current() {
      return reloadable.current
    },
    status,
    async reload(force) {
      const outcome = await reloadable.reload(force)
      note(outcome, force)
      return outcome
    },
  }
}
