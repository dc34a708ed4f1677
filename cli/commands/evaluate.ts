import { once } from "node:events"
import { relative, resolve } from "node:path"
import type { Writable } from "node:stream"
import { Command, Option } from "commander"
import { compileEntries } from "../../sdk/evaluation/compile-entries.ts"
import { createReport } from "../diagnostics/diagnostic.ts"
import { formatCounts, formatText as formatDiagnostics } from "../diagnostics/format-text.ts"
import { printable } from "../diagnostics/printable.ts"
import { didYouMean, quoted } from "../diagnostics/suggest.ts"
import { hasColour, pathsFrom } from "../diagnostics/terminal.ts"
import { toFlagAnswer } from "../evaluate/answer.ts"
import type { FlagSet } from "../evaluate/flag-set.ts"
import { formatText } from "../evaluate/format-text.ts"
import { jsonLine } from "../evaluate/json-line.ts"
import { type GivenContext, readContexts } from "../evaluate/read-contexts.ts"
import { readEnvironment } from "../evaluate/read-work-tree.ts"
import { unknownAttributes } from "../evaluate/unknown-attributes.ts"
import { Failure } from "../failure.ts"
import type { Exit, ExitStatus, Host } from "../host.ts"
import { folderFiles } from "../project/files.ts"
import { flagsOption, namesOf, type OptionsOf } from "./options.ts"

const formats = { text: formatText, json: jsonLine }

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
        .choices(namesOf(formats))
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
  const [key, ...more] = new Set(named)
  if (key === undefined && options.all !== true)
    throw new Failure("name a flag, or evaluate every flag with --all")
  if (key !== undefined && options.all === true) throw new Failure("give either keys of flags or --all")
  if (key !== undefined && options.history === true) {
    if (more.length > 0) throw new Failure("--history is of one flag at a time")
    const { printHistory } = await import("./evaluate-history.ts")
    return printHistory(key, options, host)
  }
  const set = await readFlags(options, host)
  if (typeof set === "number") return set
  const keys = new Set(keysOf(key === undefined ? [] : [key, ...more], set))
  const flags = set.document.flags.filter(({ flag }) => keys.has(flag.key))
  const evaluator = await compileEntries(flags)
  const print = createPrint(host.stdout)
  if (set.origin !== undefined && options.format === "text") await print(`at ${set.origin.words}\n`)
  const warn = createWarnings(set, host)
  const isExplained = options.explain === true
  let status: ExitStatus = 0
  for await (const given of readContexts(options.context, host)) {
    warn(given)
    for (const one of keys) {
      const answer = toFlagAnswer(one, given, { set, evaluator, isExplained, cwd: host.cwd })
      if (answer.cause === "unknownOperator") status = 1
      const isRead = await print(formats[options.format](answer))
      if (!isRead) return status
    }
  }
  return status
}

/** Returns a function that names the attributes of a context that were probably misspelt, each once. */
function createWarnings({ attributes }: FlagSet, { stderr }: Host): (given: GivenContext) => void {
  const seen = new Set<string>()
  return ({ context }) => {
    for (const slip of unknownAttributes(Object.keys(context), attributes)) {
      if (!seen.has(slip)) stderr.write(`${slip}\n`)
      seen.add(slip)
    }
  }
}

/** The flags to evaluate, or the exit status for the errors that were printed instead. */
async function readFlags(
  { published, flags, environment, at }: EvaluateOptions,
  host: Host,
): Promise<FlagSet | ExitStatus> {
  if (published !== undefined) {
    const { readPublishedAt } = await import("./evaluate-published.ts")
    return readPublishedAt(published, { at, environment }, host)
  }
  const report = createReport()
  const folder = resolve(host.cwd, flags)
  const found = at === undefined ? undefined : await readCommitAt(at, folder, host)
  const files = found?.files ?? folderFiles(folder)
  const set = await readEnvironment(files, environment, report)
  const errors = report.diagnostics.filter(({ severity }) => severity === "error")
  if (set !== undefined && errors.length === 0) return { ...set, ...(found && { origin: found.origin }) }
  if (found !== undefined && set === undefined && errors.length === 0)
    throw new Failure(await found.noProject())
  host.stderr.write(formatDiagnostics(errors, pathsFrom(host), hasColour(host, "stderr")))
  const where = found === undefined ? "" : ` in ${found.origin.words}`
  host.stderr.write(`${formatCounts(errors)}${where}: nothing was evaluated\n`)
  return set === undefined ? 2 : 1
}

/** The flags folder in a commit. What reads commits is loaded when needed, as in `readFlags`. */
async function readCommitAt(at: string, folder: string, host: Host) {
  const { commitAt, projectFolders } = await import("../diff/revisions/commit-at.ts")
  const { findFlagsFolder } = await import("../diff/revisions/endpoints.ts")
  const { commitFiles } = await import("../project/commit-files.ts")
  const found = await findFlagsFolder(folder, host.git)
  const { revision, committed, subject } = await commitAt(at, found, host.git)
  const origin = { revision, words: printable(`${revision.slice(0, 10)}, ${committed}: ${subject}`) }
  const noProject = async () => {
    const folders = await projectFolders(revision, found, host.git)
    const ways = folders.map((path) => quoted(`--flags ${relative(host.cwd, path) || "."}`))
    const way = ways.length === 0 ? "" : `; they were in a different folder: add ${ways.join(" or ")}`
    return `there are no flags in ${origin.words}${way}`
  }
  return { origin, files: await commitFiles(revision, found, host.git), noProject }
}

/** The flags to evaluate: those that are named, or all. */
function keysOf(named: readonly string[], { document }: FlagSet): readonly string[] {
  const keys = document.flags.map(({ flag }) => flag.key)
  const unknown = named.find((key) => !keys.includes(key))
  if (unknown !== undefined) throw new Failure(`no flag ${quoted(unknown)}${didYouMean(unknown, keys)}`)
  return named.length > 0 ? named : keys
}

/**
 * Returns a function that writes, and waits while the stream is full. It resolves to `false` once the reader is gone:
 * `flagstone … | head`.
 */
function createPrint(stdout: Writable): (text: string) => Promise<boolean> {
  let isRead = true
  stdout.once("error", () => {
    isRead = false // main.ts handles the error
  })
  return async (text) => {
    if (isRead && !stdout.write(text)) await once(stdout, "drain").catch(() => undefined)
    return isRead
  }
}
