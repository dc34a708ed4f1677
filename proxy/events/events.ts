import type { H3Event } from "h3"
import { type KeyRecord, type KeyUse, keyEnd } from "../contract/key-record.ts"
import { addressBlock } from "../http/client-address.ts"
import { allowanceHeaders, respondError, respondEvents } from "../http/respond.ts"
import { denialOf } from "../keys/authenticate.ts"
import type { Keyring } from "../keys/keyring.ts"
import type { PreparedSnapshot } from "../prepare/prepared-snapshot.ts"
import type { Allowance } from "../rate-limit/token-bucket.ts"
import type { Generation } from "../snapshots/generation.ts"
import { createBody, type EventStreams, type Listener } from "./event-streams.ts"

/** Streams as answers. */
export interface Events {
  /**
   * Answers a client whose key was admitted; 503 if nothing is served to it and, unless the kind says otherwise, if
   * there is no room for another stream. `seen` is the tag that the client has, unless it sends one itself.
   */
  answer(event: H3Event, allowance: Allowance, record: KeyRecord, kind: EventKind, seen?: string): Response
}

/** The events of one kind of stream. */
export interface EventKind {
  /** The use that a listener's key must allow. */
  readonly use: KeyUse
  /** The part of all streams that this kind may take up. */
  readonly share: number
  /** Milliseconds until a stream ends by itself, give or take a fifth. */
  readonly lifetime: number
  /**
   * Milliseconds after which a client for which there is no room should retry, sent in an otherwise empty 200.
   * `undefined`: 503.
   */
  readonly comeBack?: number
  /** The tag of the answer for a key; `undefined`: there is none. */
  tagOf(snapshot: PreparedSnapshot, record: KeyRecord): string | undefined
  /** The event for a tag, without its id. */
  format(tag: string): string
}

export interface EventsParts {
  readonly streams: EventStreams
  readonly keyring: () => Keyring
  readonly generation: () => Generation
  /** Called for each stream that is refused for lack of room. */
  readonly onRefused: () => void
  /** `undefined` if there is no socket. */
  readonly clientAddress: (event: H3Event) => string | undefined
  /** Milliseconds since the epoch. */
  readonly now: () => number
}

/** Changes of the document that `/v1/flags` answers. */
export const documentEvents: EventKind = {
  use: "read",
  share: 1,
  lifetime: 300_000, // so that listeners move to other proxies
  tagOf: ({ list }) => list.identity.etag.slice(1, -1),
  format: (tag) => `event: change\ndata: ${JSON.stringify({ etag: `"${tag}"` })}`,
}

export function createEvents(parts: EventsParts): Events {
  const { streams, keyring, generation, onRefused, clientAddress, now } = parts
  return {
    answer(event, allowance, { digest }, { use, share, lifetime, comeBack, tagOf, format }, before) {
      const block = addressBlock(clientAddress(event))
      const recordNow = () => keyring().find(digest)?.record
      const keyLife = () => {
        const record = recordNow()
        return record === undefined ? 0 : keyEnd(record) - now()
      }
      const current = () => {
        const record = recordNow()
        if (record === undefined || denialOf(record, use, now()) !== undefined) return undefined
        const snapshot = generation().find(record)
        return snapshot && tagOf(snapshot, record)
      }
      const unavailable = () => respondError(event, "unavailable", allowanceHeaders(allowance))
      if (current() === undefined || streams.isOver) return unavailable()
      if (!streams.hasRoom(block, share)) {
        onRefused()
        if (comeBack === undefined) return unavailable()
        return respondEvents(event, allowance, () => new Blob([`retry: ${comeBack}\n\n`]).stream())
      }
      const seen = event.req.headers.get("last-event-id") ?? before
      const buffered = () => event.runtime?.node?.res?.writableLength ?? 0
      const listener: Listener = { block, lifetime, keyLife, current, format, buffered }
      return respondEvents(event, allowance, () =>
        createBody((body) => streams.open(body, listener, seen === undefined ? undefined : tagIn(seen))),
      )
    },
  }
}

/**
 * The tag in an id or in any form of the `ETag`: quoted, weak, or with its encoding. A tag that is not ours never
 * counts as current.
 */
function tagIn(text: string): string {
  return /[0-9a-f]{32}/.exec(text)?.[0] ?? ""
}
