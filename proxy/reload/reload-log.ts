import type { Logger } from "pino"
import type { Fault } from "./fault.ts"

/** What a look at a source led to. */
export type ReloadResult =
  /** It is what is current, and nothing is wrong with it. */
  | { readonly kind: "unchanged" }
  /** It is not worth reading yet: it may still be being written, or had a fault when it was last read. */
  | { readonly kind: "waiting" }
  /** It was read, and is like what is current. */
  | { readonly kind: "confirmed" }
  | { readonly kind: "replaced" }
  | { readonly kind: "refused"; readonly fault: Fault }

export interface ReloadStatus {
  replaced: number
  refused: number
  /** When the source was last read, or found unchanged, without a fault; milliseconds since the epoch. */
  goodAt: number | undefined
  /** What is wrong with what the source has now; `undefined`: nothing. */
  fault: Fault | undefined
  /** Since when a change waits to be found the same twice; milliseconds since the epoch; `undefined`: none does. */
  unsettledSince: number | undefined
}

/** Counts every result in `status`, and logs each fault once. `what` names in log lines what the source has. */
export function createReloadLog(what: string, location: string, logger: Logger, now: () => number) {
  const status: ReloadStatus = {
    replaced: 0,
    refused: 0,
    goodAt: undefined,
    fault: undefined,
    unsettledSince: undefined,
  }
  let isUnsettledLogged = false

  function note(result: ReloadResult, isForced: boolean): void {
    const { fault } = status
    if (result.kind === "waiting" || (result.kind === "confirmed" && fault === undefined)) return
    if (result.kind === "refused") {
      const reason = result.fault.message
      const isFirst = status.refused === 0 && status.replaced === 0 // which whoever starts the proxy is told
      if (!isFirst && (isForced || reason !== fault?.message))
        logger.error({ location, reason }, `${what} refused; the last good ones stay`)
      status.refused++
      status.fault = result.fault
      return
    }
    status.fault = undefined
    status.goodAt = now()
    if (result.kind === "replaced") status.replaced++
    if (result.kind === "replaced" && status.replaced > 1) logger.info({ location }, `${what} reloaded`)
    if (result.kind === "confirmed") logger.info({ location }, `${what} can be read again`)
    if (result.kind === "unchanged" && fault) logger.info({ location }, `${what} are good again`)
  }

  function noteUnsettled(isUnsettled: boolean): void {
    status.unsettledSince = isUnsettled ? (status.unsettledSince ?? now()) : undefined
    const isLong = now() - (status.unsettledSince ?? now()) >= 10_000
    if (isLong && !isUnsettledLogged)
      logger.warn({ location }, `${what} change at every look; they count when two looks find the same`)
    isUnsettledLogged = isLong
  }

  return { status: status as Readonly<ReloadStatus>, note, noteUnsettled }
}
