import type { FlagEntry } from "../../../proxy/contract/snapshot.ts"
import type { CompileExpression } from "../../../sdk/evaluation/expression.ts"
import type { Project } from "../../compile/definition/project.ts"
import { createReport, type SourceFile } from "../../diagnostics/diagnostic.ts"
import { startCoverage } from "../../specs/coverage.ts"
import { readSpec } from "../../specs/read-spec.ts"
import { runSpec } from "../../specs/run-spec.ts"
import { createWorlds } from "../../specs/run-specs.ts"
import type { Reached } from "./catalog-flag.ts"

/** What the specs and the engine of conditions say of the outcomes of some flags. */
export interface Outcomes {
  /** The keys of flags with a case. */
  readonly tested: ReadonlySet<string>
  /** By a rule's position, or what applies instead of rules. */
  readonly of: (environment: string, entry: FlagEntry) => (by: number | string) => Reached
}

/** Runs the specs of some flags. `entriesOf` gives these flags as an environment has them. */
export async function readOutcomes(
  specFiles: readonly SourceFile[],
  project: Project,
  entriesOf: (environment: string) => readonly FlagEntry[],
  compileExpression: CompileExpression,
): Promise<Outcomes> {
  const coverage = startCoverage(compileExpression)
  const tested = new Set<string>()
  if (specFiles.length > 0) {
    const worlds = await createWorlds(project, (environment) => ({
      document: { flags: entriesOf(environment) },
      environment,
      locate: () => undefined,
    }))
    const world = {
      environments: [...worlds.keys()],
      flags: entriesOf(project.environments[0]?.name ?? "").map(({ flag }) => flag.key),
      rulesOf: (flag: string, environment: string) => worlds.get(environment)?.ruleIds(flag),
    }
    // What is wrong with a spec is for `test` to say.
    for (const spec of specFiles.flatMap((source) => readSpec(source, world, createReport()) ?? [])) {
      tested.add(spec.flag)
      runSpec(spec, worlds, coverage.count)
    }
  }
  return {
    tested,
    of(environment, entry) {
      const reached = new Map(
        coverage
          .outcomesOf(environment, entry)
          .map(({ by, hits, witness }): [number | string, Reached] => [
            by,
            { isReached: true, hits, witness: witness === undefined ? "" : JSON.stringify(witness) },
          ]),
      )
      return (by) => reached.get(by) ?? notReached
    },
  }
}

const notReached: Reached = { isReached: false, hits: 0, witness: "" }
