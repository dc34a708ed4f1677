import { createHmac, createSecretKey, timingSafeEqual } from "node:crypto"
import type { KeyRecord } from "../contract/key-record.ts"

/**
 * Tickets open streams, and nothing else, for clients that cannot send headers. They are part of addresses, which
 * intermediate proxies log, so they are not keys and expire soon.
 */
export interface Tickets {
  /** A key's ticket, the same throughout a clock hour. `now` is in milliseconds since the epoch. */
  issue(key: TicketKey, now: number): string
  /**
   * The record of a ticket's key, which `find` finds by its id. `undefined`: the ticket is not ours, was issued more than
   * two clock hours before, or for a different secret than the key with that id has now.
   */
  verify<Key extends TicketKey>(
    ticket: string,
    now: number,
    find: (id: string) => Key | undefined,
  ): Key | undefined
}

/** What a ticket is signed for. */
export type TicketKey = Pick<KeyRecord, "id" | "digest">

/** Proxies with the same secret accept each other's tickets. */
export function createTickets(secret: string | Uint8Array): Tickets {
  const key = createSecretKey(typeof secret === "string" ? Buffer.from(secret) : secret)
  function format({ id, digest }: TicketKey, hour: number): string {
    const mac = createHmac("sha256", key).update(`${id}.${hour}.${digest}`).digest("base64url")
    return `${id}.${hour}.${mac}`
  }

  /** Each evaluation of all flags needs one, and signing takes a tenth of its time. */
  const issued = new WeakMap<TicketKey, { readonly hour: number; readonly ticket: string }>()

  return {
    issue(ticketKey, now) {
      const hour = hourOf(now)
      const last = issued.get(ticketKey)
      if (last?.hour === hour) return last.ticket
      const ticket = format(ticketKey, hour)
      issued.set(ticketKey, { hour, ticket })
      return ticket
    },
    verify(ticket, now, find) {
      const [, id = "", hour] = /^([\w.:-]{1,128})\.(\d{1,9})\.[\w-]{43}$/.exec(ticket) ?? []
      const age = hourOf(now) - Number(hour)
      // Just before the hour ends, a proxy whose clock is slightly ahead is already in the next hour.
      if (!(age >= -1 && age <= 2)) return undefined
      const found = find(id)
      if (found === undefined) return undefined
      const [given, good] = [Buffer.from(ticket), Buffer.from(format(found, Number(hour)))]
      return given.length === good.length && timingSafeEqual(given, good) ? found : undefined
    },
  }
}

function hourOf(now: number): number {
  return Math.floor(now / 3_600_000)
}
