import type { Check } from "./check.ts"
import { checkId, type SeenIds } from "./ids-are-unique.ts"

/** An `id:` that an author sets for a rule is unique in its configuration. */
export const ruleIdsAreUnique: Check = ({ source, configurations }, _project, report) => {
  for (const { rules } of configurations) {
    let seen: SeenIds | undefined
    for (const { id } of rules) {
      if (id === undefined) continue
      seen ??= new Map()
      checkId(seen, id, source, report)
    }
  }
}
