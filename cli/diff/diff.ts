import type { ResolvedFlag } from "../compile/meaning/resolve.ts"
import type { Diagnostic } from "../diagnostics/diagnostic.ts"
import type { Change, DiffEnvironment, Scope } from "./change.ts"
import { configurationFacts, flagFacts, projectFacts } from "./facts.ts"
import { type FlagPair, pairFlags, type Side } from "./pair-flags.ts"
import { warningsOf } from "./warnings.ts"
import { weighFlag, weighProject } from "./weigh.ts"

/** What changes from one revision to the other. */
export interface Diff {
  /** Of both sides, protected ones first, then in the newer project's order. */
  readonly environments: readonly DiffEnvironment[]
  /** Of the project first, then by flag key. */
  readonly changes: readonly Change[]
  /** What only a comparison can see. */
  readonly warnings: readonly Diagnostic[]
}

/**
 * Compares what two revisions mean. Equal meanings give no change, however they are written. A scope that leaves
 * environments out leaves out what changes no snapshot of the others.
 */
export function diffSides(before: Side, after: Side, scope: Scope = everywhere): Diff {
  const pairs = pairFlags(before, after)
  const environments = environmentsOf(before, after)
  const [olds, news] = [namesOf(before).filter(scope), namesOf(after).filter(scope)]
  const changes = [
    ...projectChanges(before, after).filter(
      (change) => !("environment" in change) || scope(change.environment),
    ),
    ...pairs.flatMap((pair) => flagChanges(within(pair, scope), olds, news)),
  ]
  return {
    environments: environments.filter(({ name }) => scope(name)),
    changes: scope === everywhere ? changes : changes.filter(({ weight }) => weight !== "none"),
    warnings: pairs.flatMap((pair) => warningsOf(pair, before, after, environments, scope)),
  }
}

const everywhere: Scope = () => true

function projectChanges({ project: before }: Side, { project: after }: Side): readonly Change[] {
  const file = (after ?? before)?.source.path ?? ""
  return projectFacts(before, after).map((fact) => ({ ...fact, ...weighProject(fact), file }))
}

function flagChanges(pair: FlagPair, olds: readonly string[], news: readonly string[]): readonly Change[] {
  const configurations =
    pair.kind === "kept"
      ? news.flatMap((environment) =>
          configurationFacts(
            pair.after.flag.key,
            environment,
            pair.before.configurations.get(environment),
            pair.after.configurations.get(environment),
          ),
        )
      : []
  const shared = news.filter((name) => olds.includes(name))
  const file = (pair.kind === "removed" ? pair.before : pair.after).definition.source.path
  return weighFlag(pair, [...flagFacts(pair), ...configurations], shared).map((change) => ({
    ...change,
    file,
  }))
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
  const news = namesOf(after)
  const names = [...news, ...namesOf(before).filter((name) => !news.includes(name))]
  const shielded = new Set([...(before.project?.protected ?? []), ...(after.project?.protected ?? [])])
  return names
    .map((name) => ({ name, protected: shielded.has(name) }))
    .sort((a, b) => Number(b.protected) - Number(a.protected))
}

function namesOf({ project }: Side): readonly string[] {
  return project?.environments.map(({ name }) => name) ?? []
}
