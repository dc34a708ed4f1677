import { relative, resolve } from "node:path"
import { Command } from "commander"
import { type CompileOptions, compile } from "../compile/compile.ts"
import { type Project, readProject } from "../compile/definition/project.ts"
import type { Build } from "../compile/meaning/build.ts"
import type { Code } from "../diagnostics/codes.ts"
import { createReport } from "../diagnostics/diagnostic.ts"
import { formatCounts, formatText, plural } from "../diagnostics/format-text.ts"
import { hasColour, pathsFrom } from "../diagnostics/terminal.ts"
import { refreshSchemaFile } from "../edit/schema-file.ts"
import { Failure } from "../failure.ts"
import type { Exit, ExitStatus, Host } from "../host.ts"
import { createProgress } from "../progress.ts"
import { readSourceDateEpoch } from "../source-date-epoch.ts"
import { compareBuild } from "../write/compare-build.ts"
import { writeBuild } from "../write/write-build.ts"
import { flagsOption, outOption } from "./options.ts"

/** The options of `build`. */
export interface BuildOptions {
  readonly flags: string
  readonly out: string
  readonly requireClean?: boolean
  readonly allowShallow?: boolean
  /** `false`: nothing is remembered from build to build. */
  readonly cache?: boolean
  /** Nothing is written; what is in `out` is compared instead. */
  readonly check?: boolean
}

export const buildCommand = (host: Host, exit: Exit): Command =>
  new Command("build")
    .addOption(flagsOption())
    .addOption(outOption())
    .option("--require-clean", "refuse to compile what is not committed")
    .option("--allow-shallow", "compile a shallow clone, though its times are wrong")
    .option("--check", "write nothing; fail where the output folder does not hold exactly this build")
    .option("--no-cache", "read everything anew and remember nothing")
    .addHelpText("after", "\nExample:\n  $ flagstone build --flags flags --out dist")
    .action((options: BuildOptions) => exit(runBuild(options, host)))

/** Compiles and writes; prints a line for each snapshot. Nothing is written where there are errors. */
export async function runBuild(options: BuildOptions, host: Host): Promise<ExitStatus> {
  if (options.check === true) return checkBuild(options, host)
  const result = await compileAndWrite(options, host)
  if (result.kind === "mistakes") return result.status
  for (const { environment, file, bytes, configured } of result.build.snapshots) {
    const path = relative(host.cwd, resolve(host.cwd, options.out, file))
    const flags = plural(result.build.manifest.environments[environment]?.flags ?? 0, "flag")
    host.stdout.write(`${path}: ${flags}, ${configured} configured, ${plural(bytes.length, "byte")}\n`)
  }
  return 0
}

/** What became of a build: made, or refused with the exit status that its mistakes have. */
export type BuildResult =
  | { readonly kind: "built"; readonly project: Project; readonly build: Build }
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
  const result = await compileFolder(options, host, unsaid)
  if (result.kind === "mistakes") return result
  await write(result.build, resolve(host.cwd, options.out), host)
  await refreshSchemaFile(result.project)
  return result
}

async function compileFolder(
  options: BuildOptions,
  host: Host,
  unsaid: readonly Code[] = [],
): Promise<BuildResult> {
  const report = createReport()
  const progress = createProgress("flags compiled:", host)
  const project = readProject(resolve(host.cwd, options.flags), report)
  const asked = { ...compileOptions(options, host), onProgress: progress.show }
  const build = project && (await compile(project, host.git, report, asked).finally(progress.end))
  const said = report.diagnostics.filter(({ code }) => !unsaid.includes(code))
  host.stderr.write(formatText(said, pathsFrom(host), hasColour(host, "stderr")))
  if (project !== undefined && build !== undefined) return { kind: "built", project, build }
  host.stderr.write(`${formatCounts(said)}: nothing was written\n`)
  return { kind: "mistakes", status: project === undefined ? 2 : 1 }
}

async function checkBuild(options: BuildOptions, host: Host): Promise<ExitStatus> {
  const result = await compileFolder(options, host)
  if (result.kind === "mistakes") return result.status
  const folder = resolve(host.cwd, options.out)
  const differences = await compareBuild(result.build, folder)
  for (const { file, kind } of differences) {
    host.stdout.write(`${relative(host.cwd, resolve(folder, file))}: ${differenceWords[kind]}\n`)
  }
  const is = differences.length === 0 ? "is" : "is not"
  host.stderr.write(`${options.out} ${is} what these flags give\n`)
  return differences.length === 0 ? 0 : 1
}

const differenceWords = {
  missing: "missing",
  different: "not what these flags give",
  obsolete: "of an environment that is no more",
} as const

/** What the command line and the variables say of compiling. Throws `Failure` where a variable makes no sense. */
function compileOptions(
  options: Pick<BuildOptions, "requireClean" | "allowShallow" | "cache">,
  host: Host,
): CompileOptions {
  return {
    requireClean: options.requireClean ?? false,
    allowShallow: options.allowShallow ?? false,
    cache: options.cache ?? true,
    runtime: host.runtime,
    sourceDateEpoch: readSourceDateEpoch(host.env),
  }
}

async function write(build: Build, folder: string, host: Host): Promise<void> {
  try {
    await writeBuild(build, folder, host)
  } catch (cause) {
    throw new Failure(
      `cannot write to ${folder}, so nothing there has changed: ${(cause as Error).message}`,
      { cause },
    )
  }
}
