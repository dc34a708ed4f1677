import { resolve } from "node:path"
import { Command, Option } from "commander"
import { formatCounts, formatText as formatDiagnostics } from "../diagnostics/format-text.ts"
import { didYouMean } from "../diagnostics/suggest.ts"
import type { Scope } from "../diff/change.ts"
import { type CompiledSide, compileSides } from "../diff/compile-sides.ts"
import { diffSides } from "../diff/diff.ts"
import { formatJson } from "../diff/format-json.ts"
import { formatMarkdown } from "../diff/format-markdown.ts"
import { formatText } from "../diff/format-text.ts"
import { readTree } from "../diff/revision-sources.ts"
import { type Endpoint, findRepository, readEndpoints } from "../diff/revisions.ts"
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
    .description("Say what users get after a change, environment by environment.")
    .argument("[base]", "a commit, or two as a..b or a...b (from their merge base)")
    .argument("[head]", "a commit; the work tree when left out")
    .addOption(flagsOption())
    .addOption(new Option("--format <format>", "how to say it").choices(Object.keys(formats)).default("text"))
    .addOption(
      new Option("--only <environments>", "these environments alone, parted by commas").argParser(parseList),
    )
    .option("--exit-code", "end with status 1 where there are changes")
    .addHelpText("after", "\nExample:\n  $ flagstone diff origin/main... --format markdown")
    .action((base: string | undefined, head: string | undefined, options: DiffOptions) =>
      exit(runDiff(base, head, options, host)),
    )

/**
 * Compares two revisions and prints what changes. A side with mistakes cannot be compared: they are printed on stderr.
 * Throws `Failure` where a side cannot be had.
 */
export async function runDiff(
  baseName: string | undefined,
  headName: string | undefined,
  options: DiffOptions,
  host: Host,
): Promise<ExitStatus> {
  const repository = await findRepository(resolve(host.cwd, options.flags), host.git)
  const [base, head] = await readEndpoints(baseName, headName, repository, host.git)
  const trees = [
    await readTree(base, repository, host.git),
    await readTree(head, repository, host.git),
  ] as const
  const sides = await compileSides(trees, repository.folder)
  const mistaken = [base, head].filter((endpoint, at) => sayMistakes(endpoint, sides[at], host))
  if (mistaken.length > 0) return 2
  const [before, after] = [sides[0].side, sides[1].side]
  if (before.project === undefined && after.project === undefined)
    throw new Failure(
      `no project.yaml in ${options.flags} on either side: name the flags folder with --flags`,
    )
  const names = [before, after].flatMap(({ project }) => project?.environments.map(({ name }) => name) ?? [])
  const diff = diffSides(before, after, scopeOf(options.only, names))
  host.stdout.write(formats[options.format]({ base, head, diff, cwd: host.cwd }))
  return options.exitCode === true && diff.changes.length > 0 ? 1 : 0
}

function sayMistakes(endpoint: Endpoint, side: CompiledSide | undefined, host: Host): boolean {
  if (side === undefined || side.errors.length === 0) return false
  host.stderr.write(formatDiagnostics(side.errors, host.cwd))
  host.stderr.write(`${endpoint.name}: ${formatCounts(side.errors)}, so it cannot be compared\n`)
  return true
}

function scopeOf(only: readonly string[] | undefined, names: readonly string[]): Scope | undefined {
  if (only === undefined) return undefined
  const unknown = only.find((name) => !names.includes(name))
  if (unknown !== undefined)
    throw new Failure(`--only: unknown environment \`${unknown}\`${didYouMean(unknown, [...new Set(names)])}`)
  return (environment) => only.includes(environment)
}
