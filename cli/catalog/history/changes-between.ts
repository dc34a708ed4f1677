import type { Rule } from "../../../proxy/contract/snapshot.ts"
import type { CompileExpression } from "../../../sdk/evaluation/expression.ts"
import type { Project } from "../../compile/definition/project.ts"
import type { ResolvedFlag } from "../../compile/meaning/resolve.ts"
import type { Change } from "../../diff/changes/change.ts"
import { describeChange } from "../../diff/changes/describe.ts"
import { flagChanges } from "../../diff/changes/flag-changes.ts"
import { type FlagPair, pairFlags } from "../../diff/sides/pair-flags.ts"
import { compareFlag } from "../../diff/transitions/transition.ts"
import type { FlagChange } from "./catalog-history.ts"
import { createEffectsOfNew, showsWitness } from "./effects-of-new.ts"
import { nameAcrossKeys } from "./name-across-keys.ts"

/** The flags that a commit touched, on both sides of it. */
export interface TouchedFlags {
  readonly before: readonly ResolvedFlag[]
  readonly after: readonly ResolvedFlag[]
}

/** Says what a commit changed about its flags. Equal meanings give nothing. No places are looked at, so flags may lack them. */
export type ChangesBetween = (sides: TouchedFlags) => readonly FlagChange[]

/** For the environments of these names. Rules that are edited alike in many flags are compared once. */
export function createChangesBetween(
  project: Pick<Project, "name">,
  names: readonly string[],
  compileExpression: CompileExpression,
): ChangesBetween {
  const effectsOfNew = createEffectsOfNew()
  const known = new Map<string, readonly FlagChange[]>()
  const changesOf = (pair: FlagPair): readonly FlagChange[] => {
    const name = nameOfEdit(pair)
    const alike = name === undefined ? undefined : known.get(name)
    if (alike !== undefined && pair.kind === "kept")
      return alike.map((change) => ({ ...change, flag: pair.after.flag.key }))
    const compared = compareFlag(pair, names, compileExpression)
    const changes = flagChanges(compared, names, compileExpression, effectsOfNew)
    const said = changes.flatMap((change) => ("flag" in change ? [changeOf(change)] : []))
    if (name !== undefined && !changes.some(({ effects }) => effects.some(showsWitness)))
      known.set(name, said)
    return said
  }
  return ({ before, after }) =>
    pairFlags({ project, flags: before }, { project, flags: after }).flatMap(changesOf)
}

/**
 * Equal for pairs of versions that differ in the same way in the rules of the same environments, and in nothing else.
 * `undefined` for any other pair, and where it may depend on the flag's key who gets another value. What is equal in both
 * versions must be the same object.
 */
function nameOfEdit(pair: FlagPair): string | undefined {
  if (pair.kind !== "kept") return undefined
  const { before, after } = pair
  const haveSegments = before.open !== undefined || after.open !== undefined
  const haveSamePeople = before.definition.root.members === after.definition.root.members
  if (before.flag !== after.flag || !haveSamePeople || haveSegments) return undefined
  const edits: unknown[] = [before.flag.defaultValue]
  const rules: Rule[] = []
  for (const environment of new Set([...before.configurations.keys(), ...after.configurations.keys()])) {
    const [one, other] = [before.configurations.get(environment), after.configurations.get(environment)]
    if (one === other) continue
    if (one === undefined || other === undefined) return undefined
    if (one.id !== other.id || one.environmentId !== other.environmentId) return undefined
    edits.push([environment, one.enabled, one.rules, other.enabled, other.rules])
    rules.push(...one.rules, ...other.rules)
  }
  return nameAcrossKeys(edits, rules)
}

function changeOf(change: Extract<Change, { readonly flag: string }>): FlagChange {
  const said = change.effects.map(({ environment, who }) => ({ environment, sentence: who }))
  return {
    flag: change.flag,
    kind: kinds[change.kind] ?? "changed",
    ...(change.kind === "flag-renamed" && { from: change.from }),
    ...("environment" in change && { environment: change.environment }),
    what: describeChange(change),
    who: change.reason === undefined ? said : [...said, { sentence: change.reason }],
  }
}

const kinds: Readonly<Partial<Record<Change["kind"], FlagChange["kind"]>>> = {
  "flag-added": "added",
  "flag-removed": "removed",
  "flag-renamed": "renamed",
}
