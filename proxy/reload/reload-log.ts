import type { Logger } from "pino"
import type { Fault } from "./fault.ts"

/** What a look at a source led to. */
export type ReloadResult =
  /** It is what is current, and nothing is wrong with it. */
  | { readonly kind: "unchanged" }
  /** It is not worth reading yet: it may still be being written, or was broken or unavailable when last read. */
  | { readonly kind: "waiting" }
  /** It was read, and gave what is current already. */
  | { readonly kind: "confirmed" }
  | { readonly kind: "replaced" }
  | { readonly kind: "refused"; readonly fault: Fault }

export interface ReloadStatus {
  readonly replaced: number
  readonly refused: number
  /** When the source was last read, or found unchanged, without a fault; milliseconds since the epoch. */
  readonly goodAt: number | undefined
  /** What is wrong with what the source has now; `undefined`: nothing. */
  readonly fault: Fault | undefined
  /** Since when a change waits for two looks that find the same; milliseconds since the epoch; `undefined`: none does. */
  readonly unsettledSince: number | undefined
}

export interface ReloadLog {
  readonly status: ReloadStatus
  /** Counts every result, and logs each fault once. */
  note(result: ReloadResult, isForced: boolean): void
  /** Notes whether a change waits to be found the same twice. Logs once when it has waited for 10 s. */
  noteUnsettled(isUnsettled: boolean): void
}

/** `what` names in log lines what the source at `location` has. `now` gives milliseconds since the epoch. */
export function createReloadLog(
  what: string,
  location: string,
  logger: Logger,
  { now }: { readonly now: () => number },
): ReloadLog {
  const status: { -readonly [Name in keyof ReloadStatus]: ReloadStatus[Name] } = {
    replaced: 0,
    refused: 0,
    goodAt: undefined,
    fault: undefined,
    unsettledSince: undefined,
  }
  let isUnsettledLogged = false

  function noteRefused(fault: Fault, isForced: boolean): void {
    const isFirst = status.refused === 0 && status.replaced === 0 // which whoever starts the proxy is told
    if (!isFirst && (isForced || fault.message !== status.fault?.message))
      logger.error({ location, reason: fault.message }, `${what} refused; the last good ones stay`)
    status.refused++
    status.fault = fault
  }

  return {
    status,
    note(result, isForced) {
      const hadFault = status.fault !== undefined
      if (result.kind === "refused") return noteRefused(result.fault, isForced)
      if (result.kind === "waiting" || (result.kind === "confirmed" && !hadFault)) return
      status.fault = undefined
      status.goodAt = now()
      if (result.kind === "replaced") status.replaced++
      if (result.kind === "replaced" && status.replaced > 1) logger.info({ location }, `${what} reloaded`)
      if (result.kind === "confirmed") logger.info({ location }, `${what} can be read again`)
      if (result.kind === "unchanged" && hadFault) logger.info({ location }, `${what} are good again`)
    },
    noteUnsettled(isUnsettled) {
      if (!isUnsettled) isUnsettledLogged = false
      status.unsettledSince = isUnsettled ? (status.unsettledSince ?? now()) : undefined
      if (isUnsettledLogged || now() - (status.unsettledSince ?? now()) < longestSilence) return
      isUnsettledLogged = true
      logger.warn({ location }, `${what} change at every look; they count when two looks find the same`)
    },
  }
}

/** Milliseconds. */
const longestSilence = 10_000
