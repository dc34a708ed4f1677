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
  const reachedIn = (environment: string, entry: FlagEntry) =>
    new Map(
      coverage
        .outcomesOf(environment, entry)
        .map(({ by, hits, witness }): [number | string, Reached] => [
          by,
          { isReached: true, hits, witness: witness === undefined ? "" : JSON.stringify(witness) },
        ]),
    )
  const known = new Map<string, ReadonlyMap<number | string, Reached>>()
  return {
    tested,
    of(environment, entry) {
      const name = tested.has(entry.flag.key) ? undefined : nameOf(entry)
      const reached = (name === undefined ? undefined : known.get(name)) ?? reachedIn(environment, entry)
      if (name !== undefined) known.set(name, reached)
      return (by) => reached.get(by) ?? notReached
    },
  }
}

const notReached: Reached = { isReached: false, hits: 0, witness: "" }

/**
 * Equal for entries whose outcomes are reached by the same contexts: rules of many flags are written alike. `undefined`
 * where that depends on the flag's key, as with percentages.
 */
function nameOf({ environment }: FlagEntry): string | undefined {
  if (environment === null) return "unconfigured"
  if (!environment.enabled) return "disabled"
  const name = JSON.stringify(
    environment.rules.map(({ attribute, operator, value }) => [attribute, operator, value]),
  )
  return name.includes("percentage") ? undefined : name
}
