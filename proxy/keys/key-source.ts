import type { KeyRecord } from "../contract/key-record.ts"
import type { Source } from "../reload/source.ts"

/** Where the proxy's keys come from: all that there are, of which none is a valid answer. No error repeats a secret. */
export type KeySource = Source<readonly KeyRecord[]>
