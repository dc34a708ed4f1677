import type { KeyRecord } from "../contract/key-record.ts"
import type { Source } from "../reload/source.ts"

/** Where the proxy's keys come from. No key at all is a valid answer. No message repeats a secret. */
export type KeySource = Source<readonly KeyRecord[]>
