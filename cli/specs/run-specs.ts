import { compileEntries } from "../../sdk/evaluation/compile-entries.ts"
import { loadExpressions } from "../../sdk/evaluation/expression.ts"
import { compareText, type Location, type Report, wholeFile } from "../diagnostics/diagnostic.ts"
import type { FlagSet } from "../evaluate/flag-set.ts"
import type { WorkTree } from "../evaluate/read-work-tree.ts"
import type { Flag } from "../language/flag.ts"
import { memberOf } from "../language/tree.ts"
import type { Project } from "../reading/project.ts"
import { type CountedOutcome, startCoverage } from "./coverage.ts"
import { diagnoseCase } from "./diagnose.ts"
import { findDisabledFlag } from "./disabled-flag.ts"
import { filesBehind } from "./files-behind.ts"
import { readSpecs } from "./read-specs.ts"
import { type CaseResult, runSpec, type SpecWorld, worldOf } from "./run-spec.ts"
import type { Spec } from "./spec.ts"
import { readSpecFiles } from "./spec-files.ts"
import type { TestResult, TestRun } from "./test-run.ts"

/** What to run. */
export interface RunSpecsOptions {
  /** Whether to run the specs in the file at an absolute path, or those of flags that the file decides. */
  readonly isWanted: (path: string) => boolean
  readonly coverage: boolean
  /** Which of those specs to run, by their path; absent: all. */
  readonly isNamed?: (path: string) => boolean
}

/** The specs that were read, and their results. */
export interface SpecsRun extends Omit<TestRun, "mistakes"> {
  readonly specs: readonly Spec[]
}

/**
 * Runs the specs of a project against the flags of its work tree: reads them, evaluates every case in its environments,
 * and counts what they reach. Specs with mistakes are reported and not run.
 */
export async function runSpecs(
  tree: WorkTree,
  { isWanted, coverage, isNamed = () => true }: RunSpecsOptions,
  report: Report,
): Promise<SpecsRun> {
  const worlds = await createWorlds(tree.project, tree.flagSet)
  const { folder, ignores } = tree.project
  const read = readSpecs(readSpecFiles(folder, report, ignores), tree, report)
  const flagsWanted = new Set([
    ...read.filter(({ source }) => isWanted(source.path)).map(({ flag }) => flag),
    ...[...tree.flags.values()]
      .filter((flag) => filesBehind(flag, tree).some(isWanted))
      .map(({ key }) => key),
  ])
  const specs = read.filter(({ flag, source }) => flagsWanted.has(flag) && isNamed(source.path))
  const counting = coverage ? startCoverage(await loadExpressions()) : undefined
  const results = specs
    .flatMap((spec) => runSpec(spec, worlds, counting?.count))
    .map((result) => judge(result, worlds, tree))
  const outcomes =
    counting &&
    [...worlds]
      .flatMap(([environment]) =>
        [...tree.flags.values()]
          .filter(({ key }) => flagsWanted.has(key))
          .toSorted((a, b) => compareText(a.key, b.key))
          .flatMap((flag) => counting.outcomesIn(environment, flag)),
      )
      .toSorted((a, b) => compareText(a.flag, b.flag))
  return {
    specs,
    results,
    coverage: outcomes?.map((outcome) => ({ ...outcome, location: locate(outcome, tree, worlds) })),
  }
}

/** The verdict on a case. A spec is about rules, so it says nothing where they are switched off. */
function judge(
  result: CaseResult,
  worlds: ReadonlyMap<string, SpecWorld>,
  { flags }: Pick<WorkTree, "flags">,
): TestResult {
  const { spec, specCase, environment } = result
  const diagnostic = diagnoseCase(result, worldOf(worlds, environment))
  const isAboutSwitch = specCase.expected.kind === "answer" && specCase.expected.cause === "disabled"
  const disabled =
    diagnostic === undefined || isAboutSwitch ? undefined : findDisabledFlag(spec.flag, environment, flags)
  return { ...result, disabled, diagnostic: disabled === undefined ? diagnostic : undefined }
}

/** The flags of each environment of a project, ready to evaluate. */
export async function createWorlds(
  { environments }: Project,
  flagSet: (environment: string) => FlagSet,
): Promise<ReadonlyMap<string, SpecWorld>> {
  const worlds = await Promise.all(
    environments.map(async ({ name }) => {
      const set = flagSet(name)
      const numbers = new Map(
        set.document.flags.map(({ flag, environment }) => [
          flag.key,
          new Map((environment?.rules ?? []).map(({ id }, at) => [id, set.numberOf?.(flag.key, at)?.number])),
        ]),
      )
      const evaluator = await compileEntries(set.document.flags)
      const ruleNumber = (flag: string, id: string) => numbers.get(flag)?.get(id)
      return [name, { ...set, evaluator, ruleNumber }] as const
    }),
  )
  return new Map(worlds)
}

/** The line of an outcome's rule; without a rule, that of the configuration or of the flag's default value. */
function locate(
  { flag, environment, by }: CountedOutcome,
  { flags }: WorkTree,
  worlds: ReadonlyMap<string, SpecWorld>,
): Location {
  const rule = typeof by === "number" ? worldOf(worlds, environment).locate(flag, by) : undefined
  if (rule !== undefined) return rule
  const found = flags.get(flag)
  if (found === undefined) throw new Error(`there is no flag ${flag}`)
  return { source: found.source, span: defaultSpan(found, environment) }
}

function defaultSpan({ root, configurations }: Flag, environment: string) {
  return configurations.get(environment)?.nameSpan ?? memberOf(root, "defaultValue")?.nameSpan ?? wholeFile
}
