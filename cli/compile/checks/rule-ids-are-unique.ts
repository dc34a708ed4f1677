import type { Check } from "./flag-check.ts"
import { checkId, type SeenIds } from "./ids-are-unique.ts"

/** An `id:` that an author sets for a rule names one of its configuration. */
export const ruleIdsAreUnique: Check = (definitions, _project, report) => {
  for (const { source, configurations } of definitions) {
    for (const { rules } of configurations) {
      const seen: SeenIds = new Map()
      for (const { id } of rules) checkId(seen, id, source, report)
    }
  }
}
