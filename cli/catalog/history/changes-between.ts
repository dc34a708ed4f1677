import type { CompileExpression } from "../../../sdk/evaluation/expression.ts"
import type { Project } from "../../compile/definition/project.ts"
import { compareText } from "../../diagnostics/diagnostic.ts"
import type { Change } from "../../diff/changes/change.ts"
import { describeChange } from "../../diff/changes/describe.ts"
import { flagChanges } from "../../diff/changes/flag-changes.ts"
import { type FlagPair, pairFlags } from "../../diff/sides/pair-flags.ts"
import { compareFlag } from "../../diff/transitions/transition.ts"
import { valueText } from "../versions/content.ts"
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
export type ChangesBetween<Said> = (sides: TouchedFlags) => readonly FlagChange<Said>[]

/** What changes are described with. */
export interface Describing<Said> {
  readonly project: Pick<Project, "name">
  /** The names of the environments that are compared. */
  readonly environments: readonly string[]
  readonly compileExpression: CompileExpression
  /** Makes what is kept of a change. */
  readonly write: (said: SaidChange) => Said
}

/** Edits and new flags that are alike are compared once. */
export function createChangesBetween<Said>(describing: Describing<Said>): ChangesBetween<Said> {
  const { project, environments, compileExpression, write } = describing
  const effectsOfNew = createEffectsOfNew()
  const readEdit = createEditReader()
  /** By the names of edits; `undefined`: what is said depends on the flag. */
  const written = new Map<string, readonly Said[] | undefined>()
  const said = new Map<string, readonly SaidChange[] | undefined>()
  const compare = (pair: FlagPair, names = environments) =>
    flagChanges(compareFlag(pair, names, compileExpression), names, compileExpression, effectsOfNew).filter(
      isOfFlag,
    )

  const saidOfShared = (edit: SharedEdit) =>
    remembered(said, edit.name, () => {
      const changes = isSameAcrossKeys(edit.rules())
        ? compare(edit.pair(), edit.environments ?? environments)
        : undefined
      const isOfWitness = changes?.some(({ effects }) => effects.some(showsWitness))
      return isOfWitness ? undefined : changes?.map(saidOf)
    })
  const writtenOf = (edit: FlagEdit) =>
    remembered(written, edit.name, () => {
      const shared = shareEdit(edit)
      return saidOfShared(shared)?.map((one) => write(shared.restore(one)))
    })
  const writeChange = (change: ChangeOfFlag): FlagChange<Said> => ({
    flag: change.flag,
    ...(change.kind === "flag-renamed" && { from: change.from }),
    said: write(saidOf(change)),
  })
  const changesOf = (before: KeptVersion | undefined, after: KeptVersion): readonly FlagChange<Said>[] => {
    const edit = readEdit(before, after)
    const known = edit && writtenOf(edit)
    if (known !== undefined) {
      const ofContents = known.map((said) => ({ flag: after.key, said }))
      return before === undefined ? ofContents : [...ofFlag(before, after), ...ofContents]
    }
    if (before === undefined) return compare({ kind: "added", after: restoreVersion(after) }).map(writeChange)
    const edited = editedEnvironments(before, after, environments)
    return compare(restorePair(before, after, edited), edited).map(writeChange)
  }
  /** What changed outside of environments, such as the description or the owner. */
  const ofFlag = (before: KeptVersion, after: KeptVersion): readonly FlagChange<Said>[] =>
    before.flag === after.flag && before.people === after.people
      ? []
      : compare(restorePair(before, after, []), []).map(writeChange)
  /** Some of them may be one flag that was renamed. */
  const changesOfGone = (
    gone: readonly KeptVersion[],
    come: ReadonlyMap<string, KeptVersion>,
  ): readonly FlagChange<Said>[] => {
    const sideOf = (versions: Iterable<KeptVersion>) => ({
      project,
      flags: [...versions].map((one) => restoreVersion(one)),
    })
    return pairFlags(sideOf(gone), sideOf(come.values())).flatMap((pair) => {
      const version = pair.kind === "added" ? come.get(pair.after.flag.key) : undefined
      return version === undefined ? compare(pair).map(writeChange) : changesOf(undefined, version)
    })
  }
  return ({ before, after }) => {
    const [one, other] = [byKey(before), byKey(after)]
    const gone = [...one.values()].filter(({ key }) => !other.has(key))
    const come = new Map<string, KeptVersion>()
    const changes: FlagChange<Said>[] = []
    for (const [key, version] of other) {
      const previous = one.get(key)
      if (previous === undefined && gone.length > 0) come.set(key, version)
      else if (previous !== version) changes.push(...changesOf(previous, version))
    }
    if (gone.length > 0) changes.push(...changesOfGone(gone, come))
    return changes.sort((a, b) => compareText(a.flag, b.flag))
  }
}

/**
 * The environments in which the sides of an edit may differ, segments put in. Elsewhere `diff` says nothing, unless the
 * default value or its type is another one.
 */
function editedEnvironments(
  before: KeptVersion,
  after: KeptVersion,
  environments: readonly string[],
): readonly string[] {
  if (valueText(before.flag) !== valueText(after.flag)) return environments
  return environments.filter((name) => before.configurations.get(name) !== after.configurations.get(name))
}

function byKey(versions: readonly KeptVersion[]): ReadonlyMap<string, KeptVersion> {
  return new Map(versions.map((version) => [version.key, version]))
}

/** What is known by a name, or what is made now and known from then on. */
function remembered<T>(known: Map<string, T>, name: string, make: () => T): T {
  if (known.has(name)) return known.get(name) as T
  const made = make()
  known.set(name, made)
  return made
}

type ChangeOfFlag = Extract<Change, { readonly flag: string }>

function isOfFlag(change: Change): change is ChangeOfFlag {
  return "flag" in change
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
