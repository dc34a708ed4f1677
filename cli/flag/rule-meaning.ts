import { isReadable, meaningText } from "../language/encode-rules.ts"
import type { Rule } from "../language/flag.ts"
import { referencesIn, written } from "../language/references.ts"

/**
 * Canonical JSON that is equal for two rules that do the same, apart from their ids. `undefined` for a share with mistakes,
 * and for a group that is too long, or uses a segment that has mistakes.
 */
export function ruleMeaning({ condition, gives, sent }: Rule): string | undefined {
  // Two flags may give the same values in one environment, but are still two conditions.
  if (referencesIn(condition).some(({ kind }) => kind === "flag"))
    return JSON.stringify([written(condition), gives])
  if (condition.kind === "share" && condition.text === undefined && Number.isNaN(condition.to))
    return undefined
  return isReadable(sent) ? meaningText(sent) : undefined
}
