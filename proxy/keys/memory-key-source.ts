import type { KeyRecord } from "../contract/key-record.ts"
import type { KeySource } from "./key-source.ts"

/** Keys that live as long as the process, such as those that `flagstone dev` mints. */
export function createMemoryKeySource(records: readonly KeyRecord[]): KeySource {
  return {
    location: "memory",
    look: async (force) => (force ? { kind: "found", value: records } : { kind: "same" }),
  }
}
