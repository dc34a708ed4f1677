import { type CompileExpression, loadExpressions } from "../../sdk/evaluation/expression.ts"
import { isExpression } from "../../sdk/evaluation/operators.ts"
import type { Diagnostic } from "../diagnostics/diagnostic.ts"
import { type Condition, visit } from "../language/condition.ts"
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

/**
 * Compares what two revisions mean. Equal meanings give no change, however they are written. A scope that leaves
 * environments out also leaves out the changes that reach no snapshot of the others.
 */
export function diffSides(before: Side, after: Side, settings: DiffSettings): Diff {
  const { compileExpression, scope = everywhere, now } = settings
  const renamed = renamedEnvironments(before, after)
  const environments = environmentsOf(before, after, renamed)
  const inScope = environmentNames(after).filter(scope)
  const flags = compareFlags(before, after, { renamed, inScope, compileExpression, now })
  const changes: readonly Change[] = [
    ...projectChanges(before, after, renamed, scope),
    ...invariantChanges(before, after),
    ...flags.flatMap((flag) => flagChanges(within(flag, scope), inScope, compileExpression)),
  ]
  const context = { before, after, renamed, environments, scope, compileExpression }
  const warnings = [
    ...brokenInvariants(before, after, scope, compileExpression),
    ...evadedInvariants(before, after, scope, compileExpression),
    ...projectWarnings(before, after, renamed, scope),
    ...flags.flatMap((flag) => warningsOf(flag, context)),
  ]
  const segments = segmentChanges(before, after, changes)
  return {
    environments: environments.filter(({ name }) => scope(name)),
    changes: scope === everywhere ? changes : changes.filter(({ impact }) => impact !== "none"),
    warnings,
    ...(segments.length === 0 ? {} : { segments }),
  }
}

interface FlagSettings extends Pick<DiffSettings, "compileExpression" | "now"> {
  readonly renamed: RenamedEnvironments
  /** The environments after the change that the diff covers. */
  readonly inScope: readonly string[]
}

/** The flags of both sides, in the environments that both have, be it under another name. */
function compareFlags(
  before: Side,
  after: Side,
  { renamed, inScope, compileExpression, now }: FlagSettings,
): readonly ComparedFlag[] {
  const shared = inScope.filter((name) => environmentNames(before).includes(name))
  const newNames = inScope.filter((name) => renamed.has(name))
  const attribute = after.project?.clock
  // With another attribute, no context has its time in the same place on both sides.
  const isKept = attribute === (before.project?.clock ?? attribute)
  const clock = attribute === undefined || !isKept ? undefined : { attribute, now }
  return pairFlags(before, after).map((pair) => {
    if (pair.kind !== "kept" || newNames.length === 0)
      return compareFlag(pair, { shared }, compileExpression, clock)
    const own = { ...pair, before: withNewNames(pair.before, pair.after, renamed) }
    return compareFlag(own, { shared: [...shared, ...newNames], newNames }, compileExpression, clock)
  })
}

/** `diffSides`, with the engine for expressions loaded if a rule or an invariant has one. */
export async function compareSides(
  before: Side,
  after: Side,
  settings: Pick<DiffSettings, "now" | "scope">,
): Promise<Diff> {
  const conditions = [before, after].flatMap(({ flags, invariants = [] }) => [
    ...flags.flatMap(({ configurations }) =>
      [...configurations.values()].flatMap(({ rules }) => rules.map(({ condition }) => condition)),
    ),
    ...invariants.flatMap((invariant) => invariant.conditions),
  ])
  const compileExpression = conditions.some(hasExpression) ? await loadExpressions() : () => undefined
  return diffSides(before, after, { ...settings, compileExpression })
}

function hasExpression(condition: Condition): boolean {
  return [...visit(condition, "meanings")].some(
    (part) => part.kind === "comparison" && isExpression(part.operator),
  )
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
