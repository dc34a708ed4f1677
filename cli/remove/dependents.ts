import type { Json } from "../../proxy/contract/snapshot.ts"
import type { Definition } from "../compile/definition/definition.ts"
import { eachCondition, eachFlagUse } from "../compile/definition/each-condition.ts"
import type { Location } from "../diagnostics/diagnostic.ts"

/** A condition of another flag on a flag. */
export interface Dependent {
  readonly key: string
  readonly location: Location
  /** The value that it requires. */
  readonly gives: Json
}

/** The conditions of other flags on a flag. */
export function dependentsOf(key: string, definitions: Iterable<Definition>): readonly Dependent[] {
  const found: Dependent[] = []
  for (const definition of definitions) {
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
