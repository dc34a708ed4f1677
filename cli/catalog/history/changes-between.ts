import type { CompileExpression } from "../../../sdk/evaluation/expression.ts"
import type { Project } from "../../compile/definition/project.ts"
import type { ResolvedFlag } from "../../compile/meaning/resolve.ts"
import type { Change } from "../../diff/changes/change.ts"
import { describeChange } from "../../diff/changes/describe.ts"
import { flagChanges } from "../../diff/changes/flag-changes.ts"
import { type FlagPair, pairFlags } from "../../diff/sides/pair-flags.ts"
import { compareFlag } from "../../diff/transitions/transition.ts"
import type { FlagChange, SaidChange } from "./catalog-history.ts"
import { createEffectsOfNew, showsWitness } from "./effects-of-new.ts"
import { createEditReader, type FlagEdit } from "./flag-edit.ts"
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
  const editOf = createEditReader()
  /** `undefined`: what is said depends on the flag. */
  const known = new Map<string, readonly SaidChange[] | undefined>()
  const compare = (pair: FlagPair) =>
    flagChanges(compareFlag(pair, names, compileExpression), names, compileExpression, effectsOfNew)

  const alike = (edit: FlagEdit): readonly SaidChange[] | undefined => {
    if (known.has(edit.name)) return known.get(edit.name)
    const changes = isSameAcrossKeys(edit.rules) ? compare(edit.pair()) : undefined
    const isOfWitness = changes?.some(({ effects }) => effects.some(showsWitness))
    const said = isOfWitness ? undefined : changes?.filter(isOfFlag).map(saidOf)
    known.set(edit.name, said)
    return said
  }
  const changesOf = (pair: FlagPair): readonly FlagChange[] => {
    const edit = pair.kind === "removed" ? undefined : editOf(pair)
    const said = edit && alike(edit)
    if (edit === undefined || said === undefined) return compare(pair).filter(isOfFlag).map(changeOf)
    return said.map((one) => ({ flag: edit.key, said: edit.restore(one) }))
  }
  return ({ before, after }) =>
    pairFlags({ project, flags: before }, { project, flags: after }).flatMap(changesOf)
}

type ChangeOfFlag = Extract<Change, { readonly flag: string }>

function isOfFlag(change: Change): change is ChangeOfFlag {
  return "flag" in change
}

function changeOf(change: ChangeOfFlag): FlagChange {
  return {
    flag: change.flag,
    ...(change.kind === "flag-renamed" && { from: change.from }),
    said: saidOf(change),
  }
}

function saidOf(change: ChangeOfFlag): SaidChange {
  const who = change.effects.map(({ environment, who }) => ({ environment, sentence: who }))
  return {
    kind: kinds[change.kind] ?? "changed",
    ...("environment" in change && { environment: change.environment }),
    what: describeChange(change),
    who: change.reason === undefined ? who : [...who, { sentence: change.reason }],
  }
}

const kinds: Readonly<Partial<Record<Change["kind"], SaidChange["kind"]>>> = {
  "flag-added": "added",
  "flag-removed": "removed",
  "flag-renamed": "renamed",
}
