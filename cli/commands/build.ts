import { relative, resolve } from "node:path"
import { Command } from "commander"
import type { Build } from "../compile/assemble.ts"
import { compile } from "../compile/compile.ts"
import { readProject } from "../compile/project.ts"
import type { Code } from "../diagnostics/codes.ts"
import { createReport } from "../diagnostics/diagnostic.ts"
import { formatCounts, formatText, plural } from "../diagnostics/format-text.ts"
import { hasColour, pathsFrom } from "../diagnostics/terminal.ts"
import { refreshSchemaFile } from "../edit/schema-file.ts"
import { Failure } from "../failure.ts"
import type { ExitStatus, Host } from "../host.ts"
import type { Exit } from "../program.ts"
import { writeBuild } from "../write/write-build.ts"
import { flagsOption, outOption } from "./options.ts"

/** The options of `build`. */
export interface BuildOptions {
  readonly flags: string
  readonly out: string
  readonly requireClean?: boolean
  readonly allowShallow?: boolean
}

export const buildCommand = (host: Host, exit: Exit): Command =>
  new Command("build")
    .description("Compile the flags into one snapshot for each environment.")
    .addOption(flagsOption())
    .addOption(outOption())
    .option("--require-clean", "refuse to compile what is not committed")
    .option("--allow-shallow", "compile a shallow clone, though its times are wrong")
    .addHelpText("after", "\nExample:\n  $ flagstone build --flags flags --out dist")
    .action((options: BuildOptions) => exit(runBuild(options, host)))

/** Compiles and writes; prints a line for each snapshot. Nothing is written where there are errors. */
export async function runBuild(options: BuildOptions, host: Host): Promise<ExitStatus> {
  const result = await compileAndWrite(options, host)
  if (result.kind === "mistakes") return result.status
  for (const { environment, file, bytes, configured } of result.build.snapshots) {
    const path = relative(host.cwd, resolve(host.cwd, options.out, file))
    const flags = plural(result.build.manifest.environments[environment]?.flags ?? 0, "flag")
    host.stdout.write(`${path}: ${flags}, ${configured} configured, ${plural(bytes.length, "byte")}\n`)
  }
  return 0
}

/** What became of a build: written, or refused with the exit status that its mistakes have. */
export type BuildResult =
  | { readonly kind: "written"; readonly build: Build }
  | { readonly kind: "mistakes"; readonly status: ExitStatus }

/**
 * Compiles and writes, and prints the diagnostics on stderr but for those with a code in `unsaid`.
 * Throws `Failure` where it cannot read or write.
 */
export async function compileAndWrite(
  options: BuildOptions,
  host: Host,
  unsaid: readonly Code[] = [],
): Promise<BuildResult> {
  const report = createReport()
  const project = readProject(resolve(host.cwd, options.flags), report)
  const build = project && (await compile(project, host.git, report, historyOptions(options, host)))
  const said = report.diagnostics.filter(({ code }) => !unsaid.includes(code))
  host.stderr.write(formatText(said, pathsFrom(host), hasColour(host, "stderr")))
  if (build === undefined) {
    host.stderr.write(`${formatCounts(said)}: nothing was written\n`)
    return { kind: "mistakes", status: project === undefined ? 2 : 1 }
  }
  write(build, resolve(host.cwd, options.out))
  if (project !== undefined) refreshSchemaFile(project)
  return { kind: "written", build }
}

/** What the command line and the variables say of history. Throws `Failure` where a variable makes no sense. */
export function historyOptions(options: Pick<BuildOptions, "requireClean" | "allowShallow">, host: Host) {
  const epoch = host.env.SOURCE_DATE_EPOCH
  if (epoch !== undefined && !/^\d{1,12}$/.test(epoch)) {
    throw new Failure(`SOURCE_DATE_EPOCH must be seconds since 1970, not ${JSON.stringify(epoch)}`)
  }
  return {
    requireClean: options.requireClean ?? false,
    allowShallow: options.allowShallow ?? false,
    sourceDateEpoch: epoch === undefined ? undefined : Number(epoch),
  }
}

function write(build: Build, folder: string): void {
  try {
    writeBuild(build, folder)
  } catch (cause) {
    throw new Failure(
      `cannot write to ${folder}, so nothing there has changed: ${(cause as Error).message}`,
      { cause },
    )
  }
}
