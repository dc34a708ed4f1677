import { resolve } from "node:path"
import { Command, InvalidArgumentError, Option } from "commander"
import { createExpressions } from "../../sdk/evaluation/expression.ts"
import { plural } from "../diagnostics/plural.ts"
import { pathsFrom } from "../diagnostics/terminal.ts"
import { parseDuration } from "../duration.ts"
import type { Exit, ExitStatus, Host } from "../host.ts"
import { loadEngine } from "../language/expression-engine.ts"
import { compileProject } from "../project/build-project.ts"
import { type DatedProject, dateProject } from "../project/compile.ts"
import { readSourceDateEpoch } from "../project/source-date-epoch.ts"
import { printReport, reportFormats } from "../report/formats.ts"
import { type CodeUse, findStale } from "../stale/find-stale.ts"
import { findLastUses } from "../stale/last-uses.ts"
import { staleReport } from "../stale/report.ts"
import { findUsages, possibleUses } from "../usages/find-usages.ts"
import { tooLargeLine } from "../usages/report.ts"
import { addToList, flagsOption, namesOf, type OptionsOf } from "./options.ts"

const declareStale = () =>
  new Command("stale")
    .addOption(flagsOption())
    .addOption(
      new Option(
        "--after <duration>",
        "how long a flag must have been unchanged (default: the project file's time, or 30d)",
      ).argParser(parseAfter),
    )
    .addOption(
      new Option("--format <format>", "the output format").choices(namesOf(reportFormats)).default("text"),
    )
    .addOption(
      new Option(
        "--code <paths>",
        "count the references in these files and folders, and find unused flags",
      ).argParser(addToList),
    )
    .option("--fail", "exit with status 1 if a flag is stale")
    .addHelpText("after", "\nExample:\n  $ flagstone stale --after 60d --code .")

/** The options of `stale`. */
export type StaleOptions = OptionsOf<typeof declareStale>

export const staleCommand = (host: Host, exit: Exit) =>
  declareStale().action((options) => exit(runStale(options, host)))

/** Prints the stale flags on stdout. A shallow clone is an error, because its times are wrong. */
export async function runStale(options: StaleOptions, host: Host): Promise<ExitStatus> {
  const result = await compileProject({ ...options, undone: "no flag was judged" }, host, dateProject)
  if (result.kind === "errors") return result.status
  const epoch = readSourceDateEpoch(host.env)
  const now = epoch === undefined ? host.now() : epoch * 1000
  const compileExpression = createExpressions(loadEngine)
  const { project } = result.input
  const code = options.code && (await searchCode(options.code, result.made, project.folder, host))
  const request = { project, now, after: options.after, compileExpression, ...(code && { code }) }
  const stale = findStale(result.made, request)
  const folder = pathsFrom(host)
  printReport(staleReport(stale, now, folder), options.format, host, folder)
  host.stderr.write(`${stale.length} of ${plural(result.made.flags.length, "flag")} stale\n`)
  return options.fail && stale.length > 0 ? 1 : 0
}

/** How code uses the flags. The code's history is read only for flags that it does not use. */
async function searchCode(
  paths: readonly string[],
  { flags }: DatedProject,
  folder: string,
  host: Host,
): Promise<CodeUse> {
  const request = { folder, git: host.git, code: paths.map((path) => resolve(host.cwd, path)) }
  const found = await findUsages(request, new Set(flags.map(({ key }) => key)))
  host.stderr.write(tooLargeLine(found, pathsFrom(host)))
  const references = new Map([...found.references].map(([key, list]) => [key, possibleUses(list).length]))
  const unused = new Set([...references].flatMap(([key, count]) => (count === 0 ? [key] : [])))
  return { references, lastUses: await findLastUses(unused, request) }
}

/** In milliseconds, of any length: no timer waits for it. */
function parseAfter(text: string): number {
  const milliseconds = parseDuration(text)
  if (milliseconds === undefined) throw new InvalidArgumentError("Write a duration such as 30d.")
  return milliseconds
}
