import type { CompileExpression } from "../../../sdk/evaluation/expression.ts"
import type { Project } from "../../compile/definition/project.ts"
import { compareText } from "../../diagnostics/diagnostic.ts"
import type { Change } from "../../diff/changes/change.ts"
import { describeChange } from "../../diff/changes/describe.ts"
import { flagChanges } from "../../diff/changes/flag-changes.ts"
import { type FlagPair, pairFlags } from "../../diff/sides/pair-flags.ts"
import { compareFlag } from "../../diff/transitions/transition.ts"
import { type KeptVersion, restorePair, restoreVersion } from "../versions/kept-version.ts"
import type { FlagChange, SaidChange } from "./catalog-history.ts"
import { createEffectsOfNew, showsWitness } from "./effects-of-new.ts"
import { createEditReader, type FlagEdit } from "./flag-edit.ts"
import { isSameAcrossKeys } from "./same-across-keys.ts"
import { type SharedEdit, shareEdit } from "./shared-edit.ts"

/** The flags that a commit touched, on both sides of it. */
export interface TouchedFlags {
  readonly before: readonly KeptVersion[]
  readonly after: readonly KeptVersion[]
}

/** Says what a commit changed about its flags, by key. Equal meanings give nothing. */
export type ChangesBetween = (sides: TouchedFlags) => readonly FlagChange[]

/** For the environments of these names. Edits and new flags that are alike are compared once. */
export function createChangesBetween(
  project: Pick<Project, "name">,
  names: readonly string[],
  compileExpression: CompileExpression,
): ChangesBetween {
  const effectsOfNew = createEffectsOfNew()
  const readEdit = createEditReader()
  /** By the names of edits, and of those that are compared for them. `undefined`: what is said depends on the flag. */
  const known = new Map<string, readonly SaidChange[] | undefined>()
  const compare = (pair: FlagPair) =>
    flagChanges(compareFlag(pair, names, compileExpression), names, compileExpression, effectsOfNew).filter(
      isOfFlag,
    )

  function remember(name: string, say: () => readonly SaidChange[] | undefined) {
    const before = known.get(name)
    if (before !== undefined || known.has(name)) return before
    const said = say()
    known.set(name, said)
    return said
  }
  const saidOfShared = (edit: SharedEdit) =>
    remember(edit.name, () => {
      const changes = isSameAcrossKeys(edit.rules()) ? compare(edit.pair()) : undefined
      const isOfWitness = changes?.some(({ effects }) => effects.some(showsWitness))
      return isOfWitness ? undefined : changes?.map(saidOf)
    })
  const saidOfEdit = (edit: FlagEdit) =>
    remember(edit.name, () => {
      const shared = shareEdit(edit)
      return saidOfShared(shared)?.map(shared.restore)
    })
  const changesOf = (before: KeptVersion | undefined, after: KeptVersion): readonly FlagChange[] => {
    const edit = readEdit(before, after)
    const said = edit && saidOfEdit(edit)
    if (said !== undefined) return said.map((one) => ({ flag: after.key, said: one }))
    return compare(
      before === undefined ? { kind: "added", after: restoreVersion(after) } : restorePair(before, after),
    ).map(changeOf)
  }
  /** Some of them may be one flag that was renamed. */
  const changesOfGone = (
    gone: readonly KeptVersion[],
    come: ReadonlyMap<string, KeptVersion>,
  ): readonly FlagChange[] => {
    const sideOf = (versions: Iterable<KeptVersion>) => ({
      project,
      flags: [...versions].map((one) => restoreVersion(one)),
    })
    return pairFlags(sideOf(gone), sideOf(come.values())).flatMap((pair) => {
      const version = pair.kind === "added" ? come.get(pair.after.flag.key) : undefined
      return version === undefined ? compare(pair).map(changeOf) : changesOf(undefined, version)
    })
  }
  return ({ before, after }) => {
    const [one, other] = [byKey(before), byKey(after)]
    const gone = [...one.values()].filter(({ key }) => !other.has(key))
    const come = new Map([...other].filter(([key]) => !one.has(key)))
    const kept = [...other.values()].flatMap((version) => {
      const previous = one.get(version.key)
      return previous === version || (previous === undefined && gone.length > 0)
        ? []
        : changesOf(previous, version)
    })
    const changes = gone.length === 0 ? kept : [...kept, ...changesOfGone(gone, come)]
    return changes.toSorted((a, b) => compareText(a.flag, b.flag))
  }
}

function byKey(versions: readonly KeptVersion[]): ReadonlyMap<string, KeptVersion> {
  return new Map(versions.map((version) => [version.key, version]))
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
