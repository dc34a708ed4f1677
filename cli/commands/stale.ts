import { Command, InvalidArgumentError, Option } from "commander"
import { createExpressions } from "../../sdk/evaluation/expression.ts"
import { compileFiles } from "../compile/compile.ts"
import { loadEngine } from "../compile/grammar/expression-engine.ts"
import { plural } from "../diagnostics/plural.ts"
import { pathsFrom } from "../diagnostics/terminal.ts"
import { parseDuration } from "../duration.ts"
import type { Exit, ExitStatus, Host } from "../host.ts"
import { type CompileRequest, makeOfProject } from "../project/build-project.ts"
import { readSourceDateEpoch } from "../project/source-date-epoch.ts"
import { findStale } from "../stale/find-stale.ts"
import { formatJson, formatMarkdown, formatText } from "../stale/format.ts"
import { flagsOption } from "./options.ts"

const formats = { text: formatText, json: formatJson, markdown: formatMarkdown }

/** The options of `stale`. */
export interface StaleOptions extends CompileRequest {
  /** How long nothing changed, in milliseconds. */
  readonly after: number
  readonly format: keyof typeof formats
  /** Exit with 1 if a flag is stale. */
  readonly fail?: boolean
}

export const staleCommand = (host: Host, exit: Exit): Command =>
  new Command("stale")
    .addOption(flagsOption())
    .addOption(
      new Option("--after <duration>", "how long nothing changed, such as 30d")
        .argParser(parseAfter)
        .default(30 * 86_400_000, "30d"),
    )
    .addOption(
      new Option("--format <format>", "the output format").choices(Object.keys(formats)).default("text"),
    )
    .option("--fail", "fail if a flag is stale")
    .option("--no-cache", "neither read nor write the cache")
    .addHelpText("after", "\nExample:\n  $ flagstone stale --after 60d")
    .action((options: StaleOptions) => exit(runStale(options, host)))

/** Prints the stale flags on stdout. A shallow clone is an error, because its times are wrong. */
export async function runStale(options: StaleOptions, host: Host): Promise<ExitStatus> {
  const result = await makeOfProject(options, host, compileFiles)
  if (result.kind === "errors") return result.status
  const epoch = readSourceDateEpoch(host.env)
  const now = epoch === undefined ? host.now() : epoch * 1000
  const compileExpression = createExpressions(loadEngine)
  const { project } = result.input
  const stale = findStale(result.made, { project, now, after: options.after, compileExpression })
  host.stdout.write(formats[options.format](stale, now, pathsFrom(host)))
  host.stderr.write(`${stale.length} of ${plural(result.made.flags.length, "flag")} stale\n`)
  return options.fail && stale.length > 0 ? 1 : 0
}

function parseAfter(text: string): number {
  const milliseconds = parseDuration(text)
  if (milliseconds === undefined) throw new InvalidArgumentError("Write a duration such as 30d.")
  return milliseconds
}
