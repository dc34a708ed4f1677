import type { Json } from "../../sdk/contract/snapshot.ts"
import { spanOfName } from "../compile/definition/condition.ts"
import { conditionsIn } from "../compile/definition/conditions-in-file.ts"
import type { ResolvedFlag } from "../compile/flags/resolve.ts"
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
    for (const part of conditionsIn(definition)) {
      if (part.kind !== "flag" || part.key !== key) continue
      const location = { source: definition.source, span: spanOfName(part) }
      found.push({ key: definition.key, location, gives: part.is })
    }
  }
  return found
}
