import type { Json } from "../../sdk/contract/snapshot.ts"
import { spanOfName } from "../compile/definition/condition.ts"
import { conditionsIn, type WithConditions } from "../compile/definition/conditions-in-file.ts"
import type { DefinedInvariant } from "../compile/definition/invariant.ts"
import type { ResolvedFlag } from "../compile/flags/resolve.ts"
import type { Location } from "../diagnostics/diagnostic.ts"

/** A condition on a flag, of another flag or of an invariant. */
export interface Dependent {
  readonly kind: "flag" | "invariant"
  /** The flag's key or the invariant's name. */
  readonly name: string
  readonly location: Location
  /** The value that it requires. */
  readonly gives: Json
}

/** The conditions of other flags and of invariants on a flag. */
export function dependentsOf(
  key: string,
  flags: Iterable<ResolvedFlag>,
  invariants: readonly DefinedInvariant[],
): readonly Dependent[] {
  const usesIn = (file: WithConditions, dependent: Pick<Dependent, "kind" | "name">): readonly Dependent[] =>
    [...conditionsIn(file)].flatMap((part) => {
      if (part.kind !== "flag" || part.key !== key) return []
      return [{ ...dependent, location: { source: file.source, span: spanOfName(part) }, gives: part.is }]
    })
  return [
    ...[...flags].flatMap(({ definition }) =>
      definition.key === key ? [] : usesIn(definition, { kind: "flag", name: definition.key }),
    ),
    ...invariants.flatMap((one) => usesIn(one, { kind: "invariant", name: one.name.text })),
  ]
}
