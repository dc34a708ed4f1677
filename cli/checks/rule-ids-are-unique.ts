import type { Check } from "./check.ts"
import { checkId, type SeenIds } from "./ids-are-unique.ts"

/** An `id:` that an author sets for a rule is unique in its configuration, as are those that the arms of a split get from it. */
export const ruleIdsAreUnique: Check = ({ source, configurations }, _project, report) => {
  for (const configuration of configurations.values()) {
    let seen: SeenIds | undefined
    for (const { writtenId: id } of configuration.rules) {
      if (id === undefined) continue
      seen ??= new Map()
      checkId(seen, id, source, report)
    }
  }
}
