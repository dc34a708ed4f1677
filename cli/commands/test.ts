import { existsSync } from "node:fs"
import { resolve } from "node:path"
import { Command, InvalidArgumentError, Option } from "commander"
import { createReport, errorsIn } from "../diagnostics/diagnostic.ts"
import { formatCounts } from "../diagnostics/format-text.ts"
import { plural } from "../diagnostics/plural.ts"
import { printDiagnostics, printMistakes } from "../diagnostics/print.ts"
import { relativePath } from "../diagnostics/relative-path.ts"
import { didYouMean, quoted } from "../diagnostics/suggest.ts"
import { isGithub, pathsFrom } from "../diagnostics/terminal.ts"
import { readWorkTree } from "../evaluate/read-work-tree.ts"
import { Failure } from "../failure.ts"
import type { Exit, ExitStatus, Host } from "../host.ts"
import { folderFiles } from "../project/files.ts"
import { isSpecPath } from "../reading/files/file-names.ts"
import { printingFor, printReport } from "../report/formats.ts"
import { reportText } from "../report/report-text.ts"
import { percent } from "../specs/diagnose.ts"
import { coverageReport, testReport } from "../specs/report.ts"
import { runSpecs, type SpecsRun } from "../specs/run-specs.ts"
import { failuresOf, notRunLines, percentCovered, type TestRun } from "../specs/test-run.ts"
import { addToList, ciFormatOption, flagsOption, type OptionsOf } from "./options.ts"

const declareTest = () =>
  new Command("test")
    .addOption(flagsOption())
    .addOption(ciFormatOption(["text", "json", "junit", "github"]))
    .option("--coverage", "list the rules, defaults and other outcomes that no case covers")
    .addOption(
      new Option("--min-coverage <percent>", "fail if less than this is covered").argParser(parsePercent),
    )
    .argument("[files...]", "the spec files to run (default: all)")
    .addOption(
      new Option(
        "--suggest [flags...]",
        "print only a case for each outcome of these flags that has none (default: all flags)",
      ).argParser(addToList),
    )
    .option("--changed <base>", "only the specs of flags that changed since a commit, such as main...")
    .addHelpText("after", "\nExample:\n  $ flagstone test --coverage --min-coverage 100")

/** The options of `test`. */
export interface TestOptions extends OptionsOf<typeof declareTest> {
  /** Only these spec files, relative to the current folder; absent or empty: all. */
  readonly files?: readonly string[]
}

export const testCommand = (host: Host, exit: Exit) =>
  declareTest().action((files, options) => exit(runTest({ ...options, files }, host)))

/**
 * Runs the specs. Returns 1 if a case fails, a spec or a flag has an error, or too little is covered. Throws `Failure`
 * if something cannot be read.
 */
export async function runTest(options: TestOptions, host: Host): Promise<ExitStatus> {
  const folder = resolve(host.cwd, options.flags)
  const report = createReport()
  const tree = await readWorkTree(folderFiles(folder), report)
  const { files = [] } = options
  const named = new Set(files.map((file) => resolve(host.cwd, file)))
  for (const file of named)
    if (!isSpecPath(file) || !existsSync(file))
      throw new Failure(`no spec file ${quoted(relativePath(host.cwd, file))}`)
  const isChanged = await wantedBy(options.changed, folder, host)
  const isNamed = (path: string) => named.size === 0 || named.has(resolve(folder, path))
  const isWanted = (path: string) => isChanged(path) && isNamed(path)
  const { suggest, minCoverage } = options
  const coverage = options.coverage === true || suggest !== undefined || minCoverage !== undefined
  const run =
    tree && !report.hasErrors
      ? await runSpecs(tree, { isWanted, coverage, ...(named.size > 0 && { isNamed }) }, report)
      : undefined
  const mistakes = errorsIn(report.diagnostics)
  await print(options, { results: [], coverage: undefined, ...run, mistakes }, host)
  if (run === undefined) {
    host.stderr.write(`${formatCounts(mistakes)}: no specs were run\n`)
    return tree === undefined ? 2 : 1
  }
  const areWhole = mistakes.length === 0
  host.stderr.write(notRunLines(run))
  host.stderr.write(`${summaryOf(run)}${areWhole ? "" : `; ${formatCounts(mistakes)} in specs`}\n`)
  if (suggest !== undefined && !areWhole) host.stderr.write("no cases are printed while specs have errors\n")
  if (suggest !== undefined && areWhole) await printSuggestions(run, suggest, host)
  const percentage = percentCovered(run.coverage ?? [])
  const isCovered = minCoverage === undefined || percentage >= minCoverage
  if (!isCovered)
    host.stderr.write(`coverage is ${percent(percentage)} %; --min-coverage requires ${minCoverage} %\n`)
  return failuresOf(run).length === 0 && areWhole && isCovered ? 0 : 1
}

/**
 * Prints the run on stdout. The mistakes are in every format but text; readers find them on stderr, and failures, too, where
 * stdout has suggested cases.
 */
async function print(options: TestOptions, run: TestRun, host: Host): Promise<void> {
  const { suggest, format = isGithub(host.env) ? "github" : "text" } = options
  const folder = pathsFrom(host)
  const onStderr = suggest === undefined ? run.mistakes : [...run.mistakes, ...failuresOf(run)]
  if (suggest !== undefined || format !== "github") printMistakes(onStderr, host)
  if (suggest !== undefined) return
  const isShown = options.coverage === true || options.minCoverage !== undefined
  const coverage = isShown ? run.coverage : undefined
  switch (format) {
    case "junit": {
      const { formatJunit } = await import("../specs/format-junit.ts")
      host.stdout.write(formatJunit(run, folder))
      return
    }
    case "github": {
      await printDiagnostics([...run.mistakes, ...failuresOf(run)], format, host)
      if (coverage !== undefined)
        host.stdout.write(reportText(coverageReport(coverage, folder), printingFor(host, folder)))
      return
    }
    default:
      printReport(testReport({ ...run, coverage }, folder), format, host, folder)
  }
}

function summaryOf(run: SpecsRun): string {
  const failed = failuresOf(run).length
  const notRun = run.results.filter(({ disabled }) => disabled !== undefined).length
  const counts = `${plural(run.results.length, "case")} of ${plural(run.specs.length, "spec")}`
  if (notRun > 0) {
    const passed = run.results.length - failed - notRun
    return `${counts}: ${failed === 0 ? "" : `${failed} failed, `}${passed} passed, ${notRun} not run`
  }
  return failed === 0 ? `${counts} passed` : `${counts}: ${failed} failed`
}

/** Returns a function that is true for the paths of specs and flags that changed. */
async function wantedBy(
  changed: string | undefined,
  folder: string,
  host: Host,
): Promise<(path: string) => boolean> {
  if (changed === undefined) return () => true
  const { readChangedFiles } = await import("../specs/changed-flags.ts")
  const files = await readChangedFiles(changed, folder, host.git)
  return (path) => files === "all" || files.has(path)
}

async function printSuggestions(
  run: SpecsRun,
  flags: boolean | readonly string[],
  host: Host,
): Promise<void> {
  const covered = run.coverage ?? []
  const isAsked = (flag: string) => typeof flags === "boolean" || flags.includes(flag)
  if (typeof flags !== "boolean") {
    const keys = [...new Set(covered.map(({ flag }) => flag))]
    const unknown = flags.find((flag) => !keys.includes(flag))
    if (unknown !== undefined) throw new Failure(`no flag ${quoted(unknown)}${didYouMean(unknown, keys)}`)
  }
  const { suggestCases } = await import("../specs/suggest.ts")
  const asked = covered.filter(({ flag }) => isAsked(flag))
  host.stdout.write(suggestCases(asked, run.specs, pathsFrom(host)))
}

/** A number from 0 to 100. */
function parsePercent(text: string): number {
  const number = /^\d+(?:\.\d+)?$/.test(text) ? Number(text) : Number.NaN
  if (!(number <= 100)) throw new InvalidArgumentError("Write a number from 0 to 100.")
  return number
}
