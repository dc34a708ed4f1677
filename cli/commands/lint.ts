import { resolve } from "node:path"
import { Command, Option } from "commander"
import { check } from "../compile/compile.ts"
import { readProject } from "../compile/project.ts"
import { readSources } from "../compile/read.ts"
import { createReport } from "../diagnostics/diagnostic.ts"
import { formatJson } from "../diagnostics/format-json.ts"
import { formatCounts, formatText, plural } from "../diagnostics/format-text.ts"
import type { ExitStatus, Host } from "../host.ts"
import type { Exit } from "../program.ts"
import { flagsOption, parseCount } from "./options.ts"

/** The options of `lint`. */
export interface LintOptions {
  readonly flags: string
  readonly format: keyof typeof formats
  /** More warnings than this are findings; `undefined`: warnings are none. */
  readonly maxWarnings?: number
}

const formats = { text: formatText, json: formatJson }

export const lintCommand = (host: Host, exit: Exit): Command =>
  new Command("lint")
    .alias("validate")
    .description("Check the flags and say what is wrong, where, and how to mend it.")
    .addOption(flagsOption())
    .addOption(new Option("--format <format>", "how to say it").choices(Object.keys(formats)).default("text"))
    .addOption(
      new Option("--max-warnings <number>", "fail with more warnings than this").argParser(parseCount),
    )
    .addHelpText("after", "\nExample:\n  $ flagstone lint --flags flags --format json")
    .action((options: LintOptions) => exit(runLint(options, host)))

/** Prints every diagnostic on stdout, and on stderr a line that sums them up. */
export async function runLint(options: LintOptions, host: Host): Promise<ExitStatus> {
  const report = createReport()
  const project = readProject(resolve(host.cwd, options.flags), report)
  const definitions = project === undefined ? [] : check(readSources(project.folder, report), project, report)
  host.stdout.write(formats[options.format](report.diagnostics, host.cwd))
  const counts = formatCounts(report.diagnostics)
  host.stderr.write(
    `${plural(definitions.length, "flag")} checked: ${counts === "" ? "no mistakes" : counts}\n`,
  )
  if (project === undefined) return 2
  const warnings = report.diagnostics.filter(({ severity }) => severity === "warning").length
  return report.hasErrors || warnings > (options.maxWarnings ?? Number.POSITIVE_INFINITY) ? 1 : 0
}
