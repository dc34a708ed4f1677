import type { Rule } from "../../../proxy/contract/snapshot.ts"
import type { CompileExpression } from "../../../sdk/evaluation/expression.ts"
import type { Project } from "../../compile/definition/project.ts"
import type { ResolvedFlag } from "../../compile/meaning/resolve.ts"
import type { Change } from "../../diff/changes/change.ts"
import { describeChange } from "../../diff/changes/describe.ts"
import { flagChanges } from "../../diff/changes/flag-changes.ts"
import { type FlagPair, pairFlags } from "../../diff/sides/pair-flags.ts"
import { compareFlag } from "../../diff/transitions/transition.ts"
import type { FlagChange, SaidChange } from "./catalog-history.ts"
import { contentOf, createEffectsOfNew, showsWitness } from "./effects-of-new.ts"
import { isSameAcrossKeys } from "./same-across-keys.ts"

/** The flags that a commit touched, on both sides of it. */
export interface TouchedFlags {
  readonly before: readonly ResolvedFlag[]
  readonly after: readonly ResolvedFlag[]
}

/** Says what a commit changed about its flags. Equal meanings give nothing. No places are looked at, so flags may lack them. */
export type ChangesBetween = (sides: TouchedFlags) => readonly FlagChange[]

/** For the environments of these names. Edits and new flags that are alike are compared once. */
export function createChangesBetween(
  project: Pick<Project, "name">,
  names: readonly string[],
  compileExpression: CompileExpression,
): ChangesBetween {
  const effectsOfNew = createEffectsOfNew()
  const known = new Map<string, readonly SaidChange[]>()
  const changesOf = (pair: FlagPair): readonly FlagChange[] => {
    const edit = editOf(pair)
    const name = edit && JSON.stringify([pair.kind, edit.what])
    const alike = name === undefined ? undefined : known.get(name)
    if (alike !== undefined && pair.kind !== "removed")
      return alike.map((said) => ({ flag: pair.after.flag.key, said }))
    const compared = compareFlag(pair, names, compileExpression)
    const changes = flagChanges(compared, names, compileExpression, effectsOfNew)
    const all = changes.flatMap((change) => ("flag" in change ? [changeOf(change)] : []))
    const isOfWitness = changes.some(({ effects }) => effects.some(showsWitness))
    if (edit !== undefined && name !== undefined && !isOfWitness && isSameAcrossKeys(edit.rules))
      known.set(
        name,
        all.map(({ said }) => said),
      )
    return all
  }
  return ({ before, after }) =>
    pairFlags({ project, flags: before }, { project, flags: after }).flatMap(changesOf)
}

/** An edit that many flags may have. What is said of equal edits is the same, except for what depends on keys. */
interface FlagEdit {
  /** JSON. */
  readonly what: unknown
  /** Which may depend on the flag's key. */
  readonly rules: readonly Rule[]
}

function editOf(pair: FlagPair): FlagEdit | undefined {
  if (pair.kind === "added") return editOfNew(pair.after)
  return pair.kind === "kept" ? editOfRules(pair.before, pair.after) : undefined
}

function editOfNew({ flag, configurations, open }: ResolvedFlag): FlagEdit | undefined {
  if (open !== undefined) return undefined
  const own = [...configurations].map(
    ([environment, { enabled, rules }]) => [environment, enabled ? rules : []] as const,
  )
  const what = own.map(([environment, rules]) => [environment, ...rules.map(contentOf)])
  return { what: [flag.defaultValue, what], rules: own.flatMap(([, rules]) => rules) }
}

/**
 * Of versions that differ in the rules of some environments, and in nothing else; `undefined` for any others. What is equal
 * in both versions must be the same object.
 */
function editOfRules(before: ResolvedFlag, after: ResolvedFlag): FlagEdit | undefined {
  const haveSegments = before.open !== undefined || after.open !== undefined
  const haveSamePeople = before.definition.root.members === after.definition.root.members
  if (before.flag !== after.flag || !haveSamePeople || haveSegments) return undefined
  const what: unknown[] = [before.flag.defaultValue]
  const rules: Rule[] = []
  for (const environment of new Set([...before.configurations.keys(), ...after.configurations.keys()])) {
    const [one, other] = [before.configurations.get(environment), after.configurations.get(environment)]
    if (one === other) continue
    if (one === undefined || other === undefined) return undefined
    if (one.id !== other.id || one.environmentId !== other.environmentId) return undefined
    what.push([environment, one.enabled, one.rules, other.enabled, other.rules])
    rules.push(...one.rules, ...other.rules)
  }
  return { what, rules }
}

function changeOf(change: Extract<Change, { readonly flag: string }>): FlagChange {
  const who = change.effects.map(({ environment, who }) => ({ environment, sentence: who }))
  return {
    flag: change.flag,
    ...(change.kind === "flag-renamed" && { from: change.from }),
    said: {
      kind: kinds[change.kind] ?? "changed",
      ...("environment" in change && { environment: change.environment }),
      what: describeChange(change),
      who: change.reason === undefined ? who : [...who, { sentence: change.reason }],
    },
  }
}

const kinds: Readonly<Partial<Record<Change["kind"], SaidChange["kind"]>>> = {
  "flag-added": "added",
  "flag-removed": "removed",
  "flag-renamed": "renamed",
}
