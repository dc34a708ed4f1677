import type { Logger } from "pino"

/** Says in the log when the store goes and comes. */
export interface OutageLog {
  begin(fault: string): void
  end(): void
  /** Says no more. */
  stop(): void
}

/**
 * An outage has a line when it begins and one when it ends. For a minute after its first line no other outage has any: they
 * are counted, and when the minute is over, one line says how many there were and how the store is then. The next minute
 * begins with that line. A store at the edge of its limit may come and go with every probe. `facts` are part of each line.
 */
export function createOutageLog(logger: Logger, facts: () => object): OutageLog {
  /** Why the store is away; `undefined`: it is not. */
  let fault: string | undefined
  /** Outages that have no line yet. */
  let unsaid = 0
  let minute: NodeJS.Timeout | undefined

  function say(outages?: number): void {
    const line = { ...facts(), ...(outages !== undefined && { outages }) }
    if (fault === undefined) logger.info(line, "rate limits shared")
    else logger.warn({ ...line, fault }, "rate limits not shared: the store is away")
  }

  function startMinute(): void {
    minute = setTimeout(() => {
      minute = undefined
      if (unsaid === 0) return
      say(unsaid)
      unsaid = 0
      startMinute()
    }, 60_000).unref()
  }

  return {
    begin(reason) {
      fault = reason
      if (minute !== undefined) {
        unsaid++
        return
      }
      say()
      startMinute()
    },
    end() {
      fault = undefined
      if (unsaid === 0) say()
    },
    stop: () => clearTimeout(minute),
  }
}
