import { hasExpression, parseCondition } from "../../sdk/evaluation/condition.ts"
import { type CompileExpression, loadExpressions } from "../../sdk/evaluation/expression.ts"
import type { Diagnostic } from "../diagnostics/diagnostic.ts"
import type { Flag } from "../language/flag.ts"
import type { Change, DiffEnvironment, Scope } from "./changes/change.ts"
import type { Diff } from "./changes/diff.ts"
import { flagChanges } from "./changes/flag-changes.ts"
import { invariantChanges } from "./changes/invariant-changes.ts"
import { projectChanges } from "./changes/project-changes.ts"
import { segmentChanges } from "./changes/segment-change.ts"
import { type ComparedFlag, compareFlag } from "./effects/compared-flag.ts"
import { type FlagPair, pairFlags } from "./sides/pair-flags.ts"
import { type RenamedEnvironments, renamedEnvironments, withNewNames } from "./sides/renamed-environments.ts"
import { environmentNames, type Side } from "./sides/side.ts"
import { brokenInvariants, evadedInvariants } from "./warnings/broken-invariants.ts"
import { projectWarnings } from "./warnings/project-warnings.ts"
import { warningsOf } from "./warnings/warnings.ts"

/** How two sides are compared. */
export interface DiffSettings {
  readonly compileExpression: CompileExpression
  /** `undefined`: every environment. */
  readonly scope?: Scope | undefined
  /** When the newer side was made, in milliseconds since the epoch: what it gives is looked at from then on. */
  readonly now: number
}

/** Two sides, and what pairing their flags and environments found. */
interface Comparison extends DiffSettings {
  readonly before: Side
  readonly after: Side
  readonly scope: Scope
  readonly renamed: RenamedEnvironments
  readonly environments: readonly DiffEnvironment[]
  /** The environments after the change that the diff covers. */
  readonly inScope: readonly string[]
  readonly flags: readonly ComparedFlag[]
}

type Finder<T> = (comparison: Comparison) => readonly T[]

/** What finds changes, in the order in which a diff lists them. */
const changeFinders: readonly Finder<Change>[] = [
  ({ before, after, renamed, scope }) => projectChanges(before, after, renamed, scope),
  ({ before, after }) => invariantChanges(before, after),
  ({ flags, scope, inScope, compileExpression }) =>
    flags.flatMap((flag) => flagChanges(within(flag, scope), inScope, compileExpression)),
]

/** The same for warnings. */
const warningFinders: readonly Finder<Diagnostic>[] = [
  ({ before, after, scope, compileExpression }) => brokenInvariants(before, after, scope, compileExpression),
  ({ before, after, scope, compileExpression }) => evadedInvariants(before, after, scope, compileExpression),
  ({ before, after, renamed, scope }) => projectWarnings(before, after, renamed, scope),
  (comparison) => comparison.flags.flatMap((flag) => warningsOf(flag, comparison)),
]

/**
 * Compares what two revisions mean. Equal meanings give no change, however they are written. A scope that leaves
 * environments out also leaves out the changes that reach no snapshot of the others.
 */
export function diffSides(before: Side, after: Side, settings: DiffSettings): Diff {
  const comparison = compare(before, after, settings)
  const { environments, scope } = comparison
  const changes = changeFinders.flatMap((find) => find(comparison))
  const warnings = warningFinders.flatMap((find) => find(comparison))
  const segments = segmentChanges(before, after, changes)
  return {
    environments: environments.filter(({ name }) => scope(name)),
    changes: scope === everywhere ? changes : changes.filter(({ impact }) => impact !== "none"),
    warnings,
    ...(segments.length === 0 ? {} : { segments }),
  }
}

function compare(
  before: Side,
  after: Side,
  { compileExpression, scope = everywhere, now }: DiffSettings,
): Comparison {
  const renamed = renamedEnvironments(before, after)
  const inScope = environmentNames(after).filter(scope)
  const shared = inScope.filter((name) => environmentNames(before).includes(name))
  const newNames = inScope.filter((name) => renamed.has(name))
  const attribute = after.project?.clock
  // With another attribute, no context has its time in the same place on both sides.
  const isKept = attribute === (before.project?.clock ?? attribute)
  const clock = attribute === undefined || !isKept ? undefined : { attribute, now }
  const flags = pairFlags(before, after).map((pair) => {
    if (pair.kind !== "kept" || newNames.length === 0)
      return compareFlag(pair, { shared }, compileExpression, clock)
    const own = { ...pair, before: withNewNames(pair.before, pair.after, renamed) }
    return compareFlag(own, { shared: [...shared, ...newNames], newNames }, compileExpression, clock)
  })
  const environments = environmentsOf(before, after, renamed)
  return { before, after, renamed, environments, inScope, flags, scope, compileExpression, now }
}

/** `diffSides`, with the engine for expressions loaded if a rule has one. */
export async function compareSides(
  before: Side,
  after: Side,
  settings: Pick<DiffSettings, "now" | "scope">,
): Promise<Diff> {
  const hasExpressions = [...before.flags, ...after.flags].some(({ configurations }) =>
    [...configurations.values()].some(({ rules }) =>
      rules.some(({ sent }) => hasExpression(parseCondition(sent))),
    ),
  )
  const compileExpression = hasExpressions ? await loadExpressions() : () => undefined
  return diffSides(before, after, { ...settings, compileExpression })
}

/** The diff with the warnings of some kinds excused. */
export function acceptWarnings(diff: Diff, codes: readonly string[]): Diff {
  const isAccepted = ({ code, severity }: Diagnostic) => severity === "warning" && codes.includes(code)
  const accepted = diff.warnings.filter(isAccepted)
  if (accepted.length === 0) return diff
  return { ...diff, warnings: diff.warnings.filter((warning) => !isAccepted(warning)), accepted }
}

const everywhere: Scope = () => true

/** The environments of both sides. Those that either side protects, under whichever name, come first. */
function environmentsOf(before: Side, after: Side, renamed: RenamedEnvironments): readonly DiffEnvironment[] {
  const names = new Set([...environmentNames(after), ...environmentNames(before)])
  const guarded = [before, after].flatMap(({ project }) => project?.protected ?? [])
  return [...names]
    .map((name) => ({
      name,
      protected: [name, renamed.get(name)].some((one) => one && guarded.includes(one)),
    }))
    .sort((a, b) => Number(b.protected) - Number(a.protected))
}

/** The flag without the configurations that are out of scope. */
function within(compared: ComparedFlag, scope: Scope): ComparedFlag {
  if (scope === everywhere) return compared
  const cut = (flag: Flag): Flag => ({
    ...flag,
    configurations: new Map([...flag.configurations].filter(([environment]) => scope(environment))),
  })
  const { pair } = compared
  const sides = {
    ...("before" in pair && { before: cut(pair.before) }),
    ...("after" in pair && { after: cut(pair.after) }),
  }
  return { ...compared, pair: { ...pair, ...sides } as FlagPair }
}
