import { sameValue } from "../../language/canonical-json.ts"
import type { Invariant } from "../../language/flag.ts"
import { toValue } from "../../language/tree.ts"
import type { Side } from "../sides/side.ts"
import type { Change } from "./change.ts"
import { inNoSnapshot } from "./classification.ts"

/** The invariants that a change adds, removes or edits, known by their names. */
export function invariantChanges(before: Side, after: Side): readonly Change[] {
  const [old, now] = [byName(before), byName(after)]
  return [...new Set([...old.keys(), ...now.keys()])].flatMap((name): Change[] => {
    const [was, is] = [old.get(name), now.get(name)]
    const values = { before: writtenOf(was), after: writtenOf(is) }
    if (sameValue(values.before, values.after)) return []
    const file = (is ?? was)?.source.path ?? ""
    return [
      { kind: "invariant-changed", invariant: name, ...values, ...inNoSnapshot, file, owner: undefined },
    ]
  })
}

function byName({ invariants = [] }: Side): ReadonlyMap<string, Invariant> {
  return new Map(invariants.map((invariant) => [invariant.name.text, invariant]))
}

function writtenOf(invariant: Invariant | undefined) {
  return invariant === undefined ? null : toValue(invariant.root)
}
