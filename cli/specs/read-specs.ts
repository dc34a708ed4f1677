import type { Report, SourceFile } from "../diagnostics/diagnostic.ts"
import type { WorkTree } from "../evaluate/read-work-tree.ts"
import { attributesIn } from "../language/condition.ts"
import { readSpec } from "./read-spec.ts"
import type { Spec } from "./spec.ts"

/** What spec files are read against: the flags without mistakes, and whether these are all flags, as by default. */
interface SoundFlags extends Pick<WorkTree, "project" | "flags"> {
  readonly areAll?: boolean
}

/** Reads spec files against a project; specs with mistakes are reported. */
export function readSpecs(
  sources: readonly SourceFile[],
  { project, flags, areAll = true }: SoundFlags,
  report: Report,
): readonly Spec[] {
  const rulesOf = (flag: string, environment: string) =>
    flags.get(flag)?.configurations.get(environment)?.rules ?? []
  const names = {
    environments: project.environments.map(({ name }) => name),
    flags: [...flags.keys()],
    areAll,
    attributes: project.attributes,
    typeOf: (flag: string) => flags.get(flag)?.type,
    comparisonsOf: (flag: string, environment: string) =>
      rulesOf(flag, environment).flatMap(({ condition }) => attributesIn(condition)).length,
    rulesOf: (flag: string, environment: string) =>
      rulesOf(flag, environment).map(({ number, sent }) => ({ number, id: sent.id })),
  }
  return sources.flatMap((source) => readSpec(source, names, report) ?? [])
}
