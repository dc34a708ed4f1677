import type { Json } from "../../proxy/contract/snapshot.ts"
import { eachCondition, eachFlagUse } from "../compile/definition/each-condition.ts"
import type { ResolvedFlag } from "../compile/meaning/resolve.ts"
import type { Location } from "../diagnostics/diagnostic.ts"

/** A condition of another flag on a flag. */
export interface Dependent {
  readonly key: string
  readonly location: Location
  /** The value that it requires. */
  readonly gives: Json
}

/** The conditions of other flags on a flag. */
export function dependentsOf(key: string, flags: Iterable<ResolvedFlag>): readonly Dependent[] {
  const found: Dependent[] = []
  for (const { definition } of flags) {
    if (definition.key === key) continue
    eachCondition(definition, (condition) =>
      eachFlagUse(condition, (use) => {
        if (use.key?.text !== key) return
        const location = { source: definition.source, span: use.key.span }
        found.push({ key: definition.key, location, gives: use.gives })
      }),
    )
  }
  return found
}
