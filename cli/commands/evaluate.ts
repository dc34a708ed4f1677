import { existsSync } from "node:fs"
import { join, resolve } from "node:path"
import { Command, Option } from "commander"
import { parseMoment } from "../../sdk/evaluation/moment.ts"
import { createReport, errorsIn } from "../diagnostics/diagnostic.ts"
import { formatCounts } from "../diagnostics/format-text.ts"
import { printMistakes } from "../diagnostics/print.ts"
import { printable } from "../diagnostics/printable.ts"
import type { FlagSet } from "../evaluate/flag-set.ts"
import { answerFormats, printAnswers } from "../evaluate/print-answers.ts"
import { readEnvironment } from "../evaluate/read-work-tree.ts"
import type { FlagLine } from "../evaluate/value-history.ts"
import { Failure } from "../failure.ts"
import type { Exit, ExitStatus, Host } from "../host.ts"
import { folderFiles } from "../project/files.ts"
import { isInvariantsPath, projectFileName } from "../reading/files/file-names.ts"
import { readProject } from "../reading/project.ts"
import { flagsOption, namesOf, type OptionsOf } from "./options.ts"

const declareEvaluate = () =>
  new Command("evaluate")
    .argument("[key...]", "the keys of the flags; omit them with --all")
    .addOption(flagsOption())
    .option("--at <commit or time>", "the flags as they were in a commit, or on a date or time")
    .option("--published <target>", "what was published to a target of publish: now, or at the time of --at")
    .addOption(
      new Option(
        "--history",
        "each change of the value that the context got, newest first: since when, by which commit and why",
      ).conflicts(["all", "at", "explain"]),
    )
    .option("--environment <name>", "the environment; optional if there is only one")
    .addOption(
      new Option("--context <json>", "the context: JSON, @file, or - for lines of JSON on stdin").default(
        "{}",
      ),
    )
    .option("--all", "evaluate every flag")
    .option("--explain", "show why each rule does or does not match")
    .addOption(
      new Option("--format <format>", "the output format; json prints one line per evaluation")
        .choices(namesOf(answerFormats))
        .default("text"),
    )
    .addHelpText(
      "after",
      `\nExample:\n  $ flagstone evaluate dark-mode --environment production --context '{"plan":"pro"}'`,
    )

/** The options of `evaluate`. */
export type EvaluateOptions = OptionsOf<typeof declareEvaluate>

export const evaluateCommand = (host: Host, exit: Exit) =>
  declareEvaluate().action((keys, options) => exit(runEvaluate(keys, options, host)))

/**
 * Evaluates some flags, or all, in each context, and prints each answer immediately. Returns 1 if a flag has an error, or
 * a value depends on an operator that only the project's SDKs support. Throws `Failure` if the flag, environment, context
 * or publication is missing.
 */
export async function runEvaluate(
  named: readonly string[],
  options: EvaluateOptions,
  host: Host,
): Promise<ExitStatus> {
  const keys = [...new Set(named)]
  const [key] = keys
  if (key === undefined && options.all !== true)
    throw new Failure("name a flag, or evaluate every flag with --all")
  if (key !== undefined && options.all === true) throw new Failure("give either keys of flags or --all")
  const { context, format, explain: isExplained = false } = options
  if (key !== undefined && options.history === true) {
    if (keys.length > 1) throw new Failure("--history is of one flag at a time")
    const { printHistory } = await import("../evaluate/print-history.ts")
    const readLine = () => readVersions(key, options, host)
    return printHistory({ key, context, format, readLine }, host)
  }
  const set = await readFlags(options, host)
  return typeof set === "number" ? set : printAnswers(set, { keys, context, format, isExplained }, host)
}

/** The versions that `--history` goes through. What reads them is loaded when needed. */
async function readVersions(
  key: string,
  { published, environment, flags }: EvaluateOptions,
  host: Host,
): Promise<FlagLine> {
  const { findBaseUrl, sourceLinks } = await import("../catalog/model/source-links.ts")
  const folder = resolve(host.cwd, flags)
  const base = await findBaseUrl(host.env, folder, host.git)
  const { requestIn } = sourceLinks(base, "HEAD")
  if (published !== undefined) {
    const { readPublications } = await import("../publish/published-flags.ts")
    return readPublications(published, { environment, clock: clockIn(folder) }, requestIn, host)
  }
  const { readCommitLine } = await import("../evaluate/value-history.ts")
  return readCommitLine(key, environment, folder, requestIn, host)
}

/** The flags to evaluate, or the exit status for the errors that were printed instead. */
async function readFlags(
  { published, flags, environment, at }: EvaluateOptions,
  host: Host,
): Promise<FlagSet | ExitStatus> {
  const folder = resolve(host.cwd, flags)
  if (published !== undefined) {
    const { readPublishedAt } = await import("../publish/published-flags.ts")
    return readPublishedAt(published, { at, environment, clock: clockIn(folder) }, host)
  }
  const report = createReport()
  const found = at === undefined ? undefined : await readCommitAt(at, folder, host)
  const files = found?.files ?? folderFiles(folder)
  const set = await readEnvironment(files, environment, report)
  const all = errorsIn(report.diagnostics)
  const errors = all.filter(({ location }) => !isInvariantsPath(location.source.path))
  const where = found === undefined ? "" : ` in ${found.origin.words}`
  if (set !== undefined && errors.length === 0) {
    if (all.length > 0)
      host.stderr.write(`${formatCounts(all)} in invariants${where}; values do not depend on them\n`)
    if (found === undefined) return set
    const asOf = parseMoment(at ?? "") ?? Date.parse(found.committed)
    return { ...set, origin: found.origin, ...(set.timed && { timed: { ...set.timed, asOf } }) }
  }
  if (found !== undefined && set === undefined && errors.length === 0) throw new Failure(found.noProject)
  printMistakes(errors, host)
  host.stderr.write(`${formatCounts(errors)}${where}: nothing was evaluated\n`)
  return set === undefined ? 2 : 1
}

/** The attribute of the time in a flags folder; `undefined`: it names none, or is no flags folder. */
function clockIn(folder: string): string | undefined {
  return existsSync(join(folder, projectFileName)) ? readProject(folder, createReport())?.clock : undefined
}

/** The flags folder in a commit. What reads commits is loaded when needed, as in `readFlags`. */
async function readCommitAt(at: string, folder: string, host: Host) {
  const { commitAt } = await import("../diff/revisions/commit-at.ts")
  const { findFlagsFolder } = await import("../diff/revisions/endpoints.ts")
  const { commitFiles } = await import("../project/commit-files.ts")
  const found = await findFlagsFolder(folder, host.git)
  const { revision, committed, subject } = await commitAt(at, found, host.git)
  const origin = { revision, words: printable(`${revision.slice(0, 10)}, ${committed}: ${subject}`) }
  const noProject = `there are no flags in ${origin.words}; if they were in a different folder, name it with --flags`
  return { origin, committed, files: await commitFiles(revision, found, host.git), noProject }
}
