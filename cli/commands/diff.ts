import { resolve } from "node:path"
import { Command, Option } from "commander"
import type { Diagnostic } from "../diagnostics/diagnostic.ts"
import { formatCounts, formatText as formatDiagnostics } from "../diagnostics/format-text.ts"
import { didYouMean } from "../diagnostics/suggest.ts"
import type { Scope } from "../diff/change.ts"
import { compileSides } from "../diff/compile-sides.ts"
import { diffSides } from "../diff/diff.ts"
import { formatJson } from "../diff/format-json.ts"
import { formatMarkdown } from "../diff/format-markdown.ts"
import { formatText } from "../diff/format-text.ts"
import { readTree } from "../diff/revision-sources.ts"
import { type Endpoint, findFlagsFolder, readEndpoints } from "../diff/revisions.ts"
import { Failure } from "../failure.ts"
import type { Exit, ExitStatus, Host } from "../host.ts"
import { flagsOption, parseList } from "./options.ts"

/** The options of `diff`. */
export interface DiffOptions {
  readonly flags: string
  readonly format: keyof typeof formats
  readonly exitCode?: boolean
  /** Names of environments; `undefined`: all. */
  readonly only?: readonly string[]
}

const formats = { text: formatText, json: formatJson, markdown: formatMarkdown }

export const diffCommand = (host: Host, exit: Exit): Command =>
  new Command("diff")
    .argument("[base]", "a commit, or two as a..b or a...b (from their merge base)")
    .argument("[head]", "a commit; the work tree when left out")
    .addOption(flagsOption())
    .addOption(
      new Option("--format <format>", "the output format").choices(Object.keys(formats)).default("text"),
    )
    .addOption(
      new Option("--only <environments>", "only these environments, separated by commas").argParser(
        parseList,
      ),
    )
    .option("--exit-code", "exit with status 1 if there are changes")
    .addHelpText("after", "\nExample:\n  $ flagstone diff origin/main... --format markdown")
    .action((first: string | undefined, second: string | undefined, options: DiffOptions) =>
      exit(runDiff(first, second, options, host)),
    )

/**
 * Compares two revisions and prints what changes. A side with errors cannot be compared: they are printed on stderr.
 * Throws `Failure` where a side cannot be read.
 */
export async function runDiff(
  first: string | undefined,
  second: string | undefined,
  options: DiffOptions,
  host: Host,
): Promise<ExitStatus> {
  const folder = await findFlagsFolder(resolve(host.cwd, options.flags), host.git)
  const endpoints = await readEndpoints(first, second, folder, host.git)
  const trees = {
    before: await readTree(endpoints.before, folder, host.git),
    after: await readTree(endpoints.after, folder, host.git),
  }
  const compiled = await compileSides(trees.before, trees.after, folder.path)
  const broken = (["before", "after"] as const).filter((side) => compiled[side].errors.length > 0)
  for (const side of broken) printErrors(endpoints[side], compiled[side].errors, host)
  if (broken.length > 0) return 2
  const [before, after] = [compiled.before.side, compiled.after.side]
  if (before.project === undefined && after.project === undefined)
    throw new Failure(
      `no project.yaml in ${options.flags} on either side: name the flags folder with --flags`,
    )
  const names = [before, after].flatMap(({ project }) => project?.environments.map(({ name }) => name) ?? [])
  const diff = diffSides(before, after, scopeOf(options.only, names))
  host.stdout.write(formats[options.format]({ ...endpoints, diff, cwd: host.cwd }))
  return options.exitCode === true && diff.changes.length > 0 ? 1 : 0
}

function printErrors({ name }: Endpoint, errors: readonly Diagnostic[], host: Host): void {
  host.stderr.write(formatDiagnostics(errors, host.cwd))
  host.stderr.write(`${name}: ${formatCounts(errors)}, so it cannot be compared\n`)
}

function scopeOf(only: readonly string[] | undefined, names: readonly string[]): Scope | undefined {
  if (only === undefined) return undefined
  const unknown = only.find((name) => !names.includes(name))
  if (unknown !== undefined)
    throw new Failure(`--only: unknown environment \`${unknown}\`${didYouMean(unknown, [...new Set(names)])}`)
  return (environment) => only.includes(environment)
}
