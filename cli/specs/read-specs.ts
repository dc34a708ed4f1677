import { comparisonsIn, parseCondition } from "../../sdk/evaluation/condition.ts"
import type { Report, SourceFile } from "../diagnostics/diagnostic.ts"
import type { WorkTree } from "../evaluate/read-work-tree.ts"
import { readSpec } from "./read-spec.ts"
import type { Spec } from "./spec.ts"

/** Reads spec files against a project whose flags have no mistakes; specs with mistakes are reported. */
export function readSpecs(
  sources: readonly SourceFile[],
  { project, flags }: Pick<WorkTree, "project" | "flags">,
  report: Report,
): readonly Spec[] {
  const rulesOf = (flag: string, environment: string) =>
    (flags.get(flag)?.configurations.get(environment)?.rules ?? []).map(({ sent }) => sent)
  const names = {
    environments: project.environments.map(({ name }) => name),
    flags: [...flags.keys()],
    attributes: project.attributes,
    typeOf: (flag: string) => flags.get(flag)?.type,
    comparisonsOf: (flag: string, environment: string) =>
      rulesOf(flag, environment).flatMap((rule) => comparisonsIn(parseCondition(rule))).length,
    rulesOf: (flag: string, environment: string) => rulesOf(flag, environment).map(({ id }) => id),
  }
  return sources.flatMap((source) => readSpec(source, names, report) ?? [])
}
