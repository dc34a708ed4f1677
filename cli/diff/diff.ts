import { hasExpression, parseCondition } from "../../sdk/evaluation/condition.ts"
import { type CompileExpression, loadExpressions } from "../../sdk/evaluation/expression.ts"
import type { ResolvedFlag } from "../compile/meaning/resolve.ts"
import type { Code } from "../diagnostics/codes.ts"
import type { Diagnostic } from "../diagnostics/diagnostic.ts"
import type { Change, DiffEnvironment, Scope } from "./changes/change.ts"
import { classifyFlag, classifyProject } from "./changes/classify.ts"
import type { Diff } from "./changes/diff.ts"
import { type ComparedFlag, compareFlag } from "./comparison/comparison.ts"
import {
  configurationDifferences,
  flagDifferences,
  ownerOf,
  projectDifferences,
} from "./differences/differences.ts"
import { type FlagPair, pairFlags, type Side } from "./sides/pair-flags.ts"
import { projectWarnings } from "./warnings/project-warnings.ts"
import { warningsOf } from "./warnings/warnings.ts"

/** How the sides are compared. */
export interface DiffOptions {
  readonly compileExpression: CompileExpression
  /** `undefined`: every environment. */
  readonly scope?: Scope | undefined
}

/** `diffSides`, with the engine for expressions loaded where a rule has one. */
export async function compareSides(before: Side, after: Side, scope?: Scope): Promise<Diff> {
  const hasExpressions = [before, after].some(({ flags }) =>
    flags.some(({ configurations }) =>
      [...configurations.values()].some(({ rules }) =>
        rules.some((rule) => hasExpression(parseCondition(rule))),
      ),
    ),
  )
  const compileExpression = hasExpressions ? await loadExpressions() : () => undefined
  return diffSides(before, after, { compileExpression, scope })
}

/**
 * Compares what two revisions mean. Equal meanings give no change, however they are written. A scope that leaves
 * environments out also leaves out the changes that reach no snapshot of the others.
 */
export function diffSides(before: Side, after: Side, options: DiffOptions): Diff {
  const { compileExpression, scope = everywhere } = options
  const environments = environmentsOf(before, after)
  const inScope = namesOf(after).filter(scope)
  const shared = inScope.filter((name) => namesOf(before).includes(name))
  const flags = pairFlags(before, after).map((pair) => compareFlag(pair, shared, compileExpression))
  const changes = [
    ...projectChanges(before, after).filter(
      (change) => !("environment" in change) || scope(change.environment),
    ),
    ...flags.flatMap((flag) => flagChanges({ ...flag, pair: within(flag.pair, scope) }, inScope, options)),
  ]
  return {
    environments: environments.filter(({ name }) => scope(name)),
    changes: scope === everywhere ? changes : changes.filter(({ impact }) => impact !== "none"),
    warnings: [
      ...projectWarnings(before, after, scope),
      ...flags.flatMap((flag) => warningsOf(flag, { before, after, environments, scope, compileExpression })),
    ],
  }
}

const everywhere: Scope = () => true

/** The diff with the warnings of some kinds excused. */
export function acceptWarnings(diff: Diff, codes: readonly Code[]): Diff {
  const isAccepted = ({ code }: Diagnostic) => codes.includes(code)
  const accepted = diff.warnings.filter(isAccepted)
  if (accepted.length === 0) return diff
  return { ...diff, warnings: diff.warnings.filter((warning) => !isAccepted(warning)), accepted }
}

function projectChanges({ project: before }: Side, { project: after }: Side): readonly Change[] {
  const file = (after ?? before)?.source.path ?? ""
  return projectDifferences(before, after).map((difference) => ({
    ...difference,
    ...classifyProject(difference),
    file,
    owner: undefined,
  }))
}

function flagChanges(
  compared: ComparedFlag,
  environments: readonly string[],
  { compileExpression }: DiffOptions,
): readonly Change[] {
  const { pair, comparisons } = compared
  const configurations =
    pair.kind === "kept"
      ? environments.flatMap((name) => configurationDifferences(pair, name, comparisons.get(name)?.match))
      : []
  const flag = pair.kind === "removed" ? pair.before : pair.after
  const file = flag.definition.source.path
  const owner = ownerOf(flag)
  const differences = [...flagDifferences(pair), ...configurations]
  return classifyFlag(compared, differences, compileExpression).map((change) => ({ ...change, file, owner }))
}

/** The pair without the configurations that are out of scope. */
function within(pair: FlagPair, scope: Scope): FlagPair {
  if (scope === everywhere) return pair
  const cut = (flag: ResolvedFlag): ResolvedFlag => ({
    ...flag,
    configurations: new Map([...flag.configurations].filter(([environment]) => scope(environment))),
  })
  if (pair.kind === "added") return { ...pair, after: cut(pair.after) }
  if (pair.kind === "removed") return { ...pair, before: cut(pair.before) }
  return { ...pair, before: cut(pair.before), after: cut(pair.after) }
}

function environmentsOf(before: Side, after: Side): readonly DiffEnvironment[] {
  const names = new Set([...namesOf(after), ...namesOf(before)])
  const guarded = new Set([...(before.project?.protected ?? []), ...(after.project?.protected ?? [])])
  return [...names]
    .map((name) => ({ name, protected: guarded.has(name) }))
    .sort((a, b) => Number(b.protected) - Number(a.protected))
}

function namesOf({ project }: Side): readonly string[] {
  return project?.environments.map(({ name }) => name) ?? []
}
