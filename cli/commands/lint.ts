import { resolve } from "node:path"
import { Command, Option } from "commander"
import { advise } from "../compile/checks/advice.ts"
import { checkFiles } from "../compile/checks/check-files.ts"
import { readProject } from "../compile/definition/project.ts"
import { readSources } from "../compile/definition/read.ts"
import { createReport, type Diagnostic } from "../diagnostics/diagnostic.ts"
import { formatCounts, formatText, plural } from "../diagnostics/format-text.ts"
import { hasColour, isGithub, pathsFrom } from "../diagnostics/terminal.ts"
import { refreshSchemaFile } from "../edit/schema-file.ts"
import type { Exit, ExitStatus, Host } from "../host.ts"
import { readSourceDateEpoch } from "../source-date-epoch.ts"
import { flagsOption, parseCount } from "./options.ts"

/** The options of `lint`. */
export interface LintOptions {
  readonly flags: string
  /** `undefined`: `github` inside GitHub Actions, else `text`. */
  readonly format?: keyof typeof formats
  /** Exit with 1 if there are more warnings than this; `undefined`: never because of warnings. */
  readonly maxWarnings?: number
  /** Make the fixes that are certain, and report the rest. */
  readonly fix?: boolean
}

async function loadSarif(): Promise<Format> {
  const { formatSarif } = await import("../diagnostics/format-sarif.ts")
  const { readExplanations } = await import("../diagnostics/explanations.ts")
  return (diagnostics, folder) => formatSarif(diagnostics, folder, readExplanations())
}

type Format = (diagnostics: readonly Diagnostic[], folder: string, colour: boolean) => string

/** Each is loaded when it is asked for, because one run uses one of them. */
const formats = {
  text: async () => formatText,
  json: async () => (await import("../diagnostics/format-json.ts")).formatJson,
  github: async () => (await import("../diagnostics/format-github.ts")).formatGithub,
  gitlab: async () => (await import("../diagnostics/format-gitlab.ts")).formatGitlab,
  sarif: loadSarif,
  junit: async () => (await import("../diagnostics/format-junit.ts")).formatJunit,
} satisfies Record<string, () => Promise<Format>>

export const lintCommand = (host: Host, exit: Exit): Command =>
  new Command("lint")
    .addOption(flagsOption())
    .addOption(
      new Option("--format <format>", "the output format: text, or github inside GitHub Actions").choices(
        Object.keys(formats),
      ),
    )
    .addOption(
      new Option("--max-warnings <number>", "fail with more warnings than this").argParser(parseCount),
    )
    .option("--fix", "fix what has only one fix, and report the rest")
    .addHelpText("after", "\nExample:\n  $ flagstone lint --flags flags --format json")
    .action((options: LintOptions) => exit(runLint(options, host)))

/** Prints every diagnostic on stdout, and a summary on stderr. */
export async function runLint(options: LintOptions, host: Host): Promise<ExitStatus> {
  const folder = resolve(host.cwd, options.flags)
  const fixed = options.fix ? await (await import("../edit/fix-files.ts")).fixFiles(folder) : undefined
  const report = createReport()
  const project = readProject(folder, report)
  const sources = project === undefined ? [] : readSources(folder, report)
  const definitions = project === undefined ? [] : checkFiles(sources, project, report)
  advise(definitions, timeOf(host), report)
  if (project !== undefined) await refreshSchemaFile(project, sources)

  const format: Format = await formats[options.format ?? (isGithub(host.env) ? "github" : "text")]()
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

/** Milliseconds since the epoch. */
function timeOf({ env, now }: Host): number {
  const epoch = readSourceDateEpoch(env)
  return epoch === undefined ? now() : epoch * 1000
}
