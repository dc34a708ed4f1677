import { createHmac, createSecretKey, timingSafeEqual } from "node:crypto"

/**
 * Tickets open streams, and nothing else, for clients that cannot send headers. They are part of addresses, which
 * intermediate proxies log, so they are not keys and expire soon.
 */
export interface Tickets {
  /** A key's ticket, the same throughout a clock hour. `now` is in milliseconds since the epoch. */
  issue(keyId: string, now: number): string
  /** The id of a ticket's key; `undefined`: the ticket is not ours, or was issued more than two clock hours before. */
  verify(ticket: string, now: number): string | undefined
}

/** Proxies with the same secret accept each other's tickets. */
export function createTickets(secret: string | Uint8Array): Tickets {
  const key = createSecretKey(typeof secret === "string" ? Buffer.from(secret) : secret)
  function format(keyId: string, hour: number): string {
    const mac = createHmac("sha256", key).update(`${keyId}.${hour}`).digest("base64url")
    return `${keyId}.${hour}.${mac}`
  }

  return {
    issue: (keyId, now) => format(keyId, hourOf(now)),
    verify(ticket, now) {
      const [, keyId = "", hour] = /^([\w.:-]{1,128})\.(\d{1,9})\.[\w-]{43}$/.exec(ticket) ?? []
      const age = hourOf(now) - Number(hour)
      // Just before the hour ends, a proxy whose clock is slightly ahead is already in the next hour.
      if (!(age >= -1 && age <= 2)) return undefined
      const [given, good] = [Buffer.from(ticket), Buffer.from(format(keyId, Number(hour)))]
      return given.length === good.length && timingSafeEqual(given, good) ? keyId : undefined
    },
  }
}

function hourOf(now: number): number {
  return Math.floor(now / 3_600_000)
}
