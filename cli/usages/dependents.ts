import type { Json } from "../../sdk/contract/snapshot.ts"
import type { Location } from "../diagnostics/diagnostic.ts"
import type { Flag, Invariant } from "../language/flag.ts"
import { spanOfName } from "../reading/condition.ts"
import { conditionsIn, type WithConditions } from "../reading/conditions-in-file.ts"

/** A condition on a flag, of another flag or of an invariant. */
export interface Dependent {
  readonly kind: "flag" | "invariant"
  /** The flag's key or the invariant's name. */
  readonly name: string
  readonly location: Location
  /** The value that it requires. */
  readonly gives: Json
}

/** The conditions of flags and of invariants on each flag, by its key. */
export function dependentsByKey(
  flags: Iterable<Flag>,
  invariants: readonly Invariant[],
): ReadonlyMap<string, readonly Dependent[]> {
  const usesIn = (file: WithConditions, dependent: Pick<Dependent, "kind" | "name">) =>
    [...conditionsIn(file)].flatMap((part) => {
      if (part.kind !== "flag") return []
      const location = { source: file.source, span: spanOfName(part) }
      return [[part.key, { ...dependent, location, gives: part.is }] as const]
    })
  const uses = [
    ...[...flags].flatMap((flag) => usesIn(flag, { kind: "flag", name: flag.key })),
    ...invariants.flatMap((invariant) => usesIn(invariant, { kind: "invariant", name: invariant.name.text })),
  ]
  const grouped = Map.groupBy(uses, ([key]) => key)
  return new Map([...grouped].map(([key, list]) => [key, list.map(([, dependent]) => dependent)]))
}
