import { resolve } from "node:path"
import { Command, Option } from "commander"
import { advise } from "../compile/checks/advice.ts"
import { check } from "../compile/checks/check.ts"
import { readProject } from "../compile/definition/project.ts"
import { readSources } from "../compile/definition/read.ts"
import { createReport, type Diagnostic } from "../diagnostics/diagnostic.ts"
import { formatGithub } from "../diagnostics/format-github.ts"
import { formatJson } from "../diagnostics/format-json.ts"
import { formatJunit } from "../diagnostics/format-junit.ts"
import { formatSarif } from "../diagnostics/format-sarif.ts"
import { formatCounts, formatText, plural } from "../diagnostics/format-text.ts"
import { hasColour, isGithub, pathsFrom } from "../diagnostics/terminal.ts"
import { fixFiles } from "../edit/fix-files.ts"
import { refreshSchemaFile } from "../edit/schema-file.ts"
import type { Exit, ExitStatus, Host } from "../host.ts"
import { compileOptions } from "./build.ts"
import { flagsOption, parseCount } from "./options.ts"

/** The options of `lint`. */
export interface LintOptions {
  readonly flags: string
  /** `undefined`: `github` inside GitHub Actions, else `text`. */
  readonly format?: keyof typeof formats
  /** More warnings than this are findings; `undefined`: warnings are none. */
  readonly maxWarnings?: number
  /** Make the fixes that are certain, and report what is left. */
  readonly fix?: boolean
}

type Format = (diagnostics: readonly Diagnostic[], folder: string, colour: boolean) => string

const formats = {
  text: formatText,
  json: formatJson,
  github: formatGithub,
  sarif: formatSarif,
  junit: formatJunit,
} satisfies Record<string, Format>

export const lintCommand = (host: Host, exit: Exit): Command =>
  new Command("lint")
    .alias("validate")
    .description("Check the flags and say what is wrong, where, and how to fix it.")
    .addOption(flagsOption())
    .addOption(
      new Option("--format <format>", "how to say it: text, or github inside GitHub Actions").choices(
        Object.keys(formats),
      ),
    )
    .addOption(
      new Option("--max-warnings <number>", "fail with more warnings than this").argParser(parseCount),
    )
    .option("--fix", "fix what has only one fix, and say what is left")
    .addHelpText("after", "\nExample:\n  $ flagstone lint --flags flags --format json")
    .action((options: LintOptions) => exit(runLint(options, host)))

/** Prints every diagnostic on stdout, and on stderr a line that sums them up. */
export async function runLint(options: LintOptions, host: Host): Promise<ExitStatus> {
  const folder = resolve(host.cwd, options.flags)
  const fixed = options.fix ? fixFiles(folder) : undefined
  const report = createReport()
  const project = readProject(folder, report)
  const sources = project === undefined ? [] : readSources(folder, report)
  const definitions = project === undefined ? [] : check(sources, project, report)
  advise(definitions, timeOf(host), report)
  if (project !== undefined) refreshSchemaFile(project, sources)

  const format: Format = formats[options.format ?? (isGithub(host.env) ? "github" : "text")]
  host.stdout.write(format(report.diagnostics, pathsFrom(host), hasColour(host, "stdout")))
  if (fixed !== undefined && fixed.fixes > 0) {
    host.stderr.write(`${plural(fixed.fixes, "mistake")} fixed in ${plural(fixed.files, "file")}\n`)
  }
  const counts = formatCounts(report.diagnostics)
  host.stderr.write(`${plural(sources.length, "flag")} checked: ${counts === "" ? "no mistakes" : counts}\n`)
  if (project === undefined) return 2
  const warnings = report.diagnostics.filter(({ severity }) => severity === "warning").length
  return report.hasErrors || warnings > (options.maxWarnings ?? Number.POSITIVE_INFINITY) ? 1 : 0
}

/** What time it is: who sets `SOURCE_DATE_EPOCH` wants the answer of that moment (reproducible-builds.org). */
function timeOf(host: Host): number {
  const epoch = compileOptions({}, host).sourceDateEpoch
  return epoch === undefined ? host.now() : epoch * 1000
}
