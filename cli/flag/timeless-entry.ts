import type { FlagEntry } from "../../sdk/contract/snapshot.ts"
import type { ResolvedFlag } from "./resolve.ts"

/** A flag as in an environment's snapshot, without the times, which do not affect evaluation. */
export function timelessEntry({ flag, configurations }: ResolvedFlag, environment: string): FlagEntry {
  const configuration = configurations.get(environment)
  return {
    flag: { ...flag, createdAt: "", updatedAt: "" },
    environment: configuration === undefined ? null : { ...configuration, updatedAt: "" },
  }
}
