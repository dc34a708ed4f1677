import type { FlagEntry } from "../../../sdk/contract/snapshot.ts"
import type { CompileExpression } from "../../../sdk/evaluation/expression.ts"
import { createReport, type SourceFile } from "../../diagnostics/diagnostic.ts"
import type { Flag } from "../../language/flag.ts"
import type { DatedProject } from "../../project/compile.ts"
import { startCoverage } from "../../specs/coverage.ts"
import { readSpecs } from "../../specs/read-specs.ts"
import { runSpec } from "../../specs/run-spec.ts"
import { createWorlds } from "../../specs/run-specs.ts"
import type { Reached } from "../page/page-data.ts"

/** What the specs and the condition engine show about flags' rules. */
export interface ReachedRules {
  /** The keys of flags with a case. */
  readonly tested: ReadonlySet<string>
  /** By a rule's position, or the name of what applies instead of a rule. */
  readonly of: (environment: string, flag: Flag) => (by: number | string) => Reached
}

/** Runs a project's specs. `entries` has each environment's flags, by its name. */
export async function readReached(
  specFiles: readonly SourceFile[],
  { project, flags }: DatedProject,
  entries: ReadonlyMap<string, readonly FlagEntry[]>,
  compileExpression: CompileExpression,
): Promise<ReachedRules> {
  const coverage = startCoverage(compileExpression)
  const tested = new Set<string>()
  if (specFiles.length > 0) {
    const byKey = new Map(flags.map((flag) => [flag.key, flag]))
    const worlds = await createWorlds(project, (environment) => ({
      document: { flags: entries.get(environment) ?? [] },
      environment,
      locate: () => undefined,
      numberOf: (key, rule) => byKey.get(key)?.configurations.get(environment)?.rules[rule],
    }))
    for (const spec of readSpecs(specFiles, { project, flags: byKey }, createReport())) {
      tested.add(spec.flag)
      runSpec(spec, worlds, coverage.count)
    }
  }
  return {
    tested,
    of(environment, flag) {
      const outcomes = new Map<number | string, Reached>()
      for (const { by, hits, witness } of coverage.outcomesIn(environment, flag))
        outcomes.set(by, {
          isReached: true,
          hits,
          witness: witness === undefined ? "" : JSON.stringify(witness),
        })
      return (by) => outcomes.get(by) ?? notReached
    },
  }
}

const notReached: Reached = { isReached: false, hits: 0, witness: "" }
