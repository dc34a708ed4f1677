import { existsSync } from "node:fs"
import { dirname, resolve, sep } from "node:path"
import { Command, type CommandUnknownOpts, Option } from "commander"
import { advise } from "../checks/advice.ts"
import { documentsAreBounded } from "../checks/documents-are-bounded.ts"
import { brokenPaths, createReport, type Diagnostic, type SourceFile } from "../diagnostics/diagnostic.ts"
import { formatCounts } from "../diagnostics/format-text.ts"
import { plural } from "../diagnostics/plural.ts"
import { diagnosticFormats, printDiagnostics } from "../diagnostics/print.ts"
import { relativePath } from "../diagnostics/relative-path.ts"
import { isGithub } from "../diagnostics/terminal.ts"
import { refreshSchemaFiles } from "../editor/schema-file.ts"
import { Failure } from "../failure.ts"
import type { Exit, ExitStatus, Host } from "../host.ts"
import { invariantsHold } from "../invariants/invariants-hold.ts"
import { reportSecrets } from "../keys/report-secrets.ts"
import { folderFiles } from "../project/files.ts"
import { locateFlags } from "../project/locate-flags.ts"
import { openProject } from "../project/open-project.ts"
import { reportFilters } from "../project/report-filters.ts"
import { readSourceDateEpoch } from "../project/source-date-epoch.ts"
import { isFlagSource, isSegmentPath, isSpecPath, projectFileName } from "../reading/files/file-names.ts"
import { readSpecFiles } from "../specs/spec-files.ts"
import { ciFormatOption, flagsOption, namesOf, type OptionsOf, parseCount } from "./options.ts"

const declareLint = () =>
  new Command("lint")
    .argument("[files...]", "report only what is wrong in these files and folders; all flags are still read")
    .addOption(flagsOption())
    .addOption(ciFormatOption(namesOf(diagnosticFormats)))
    .addOption(
      new Option("--max-warnings <number>", "fail if there are more warnings than this").argParser(
        parseCount,
      ),
    )
    .option("--fix", "apply unambiguous fixes; report the rest")
    .addHelpText("after", "\nExample:\n  $ flagstone lint\n  $ flagstone lint flags/new-welcome.yaml")

/** The options of `lint`. */
export interface LintOptions extends OptionsOf<typeof declareLint> {
  /** Files and folders below the flags folder: only their diagnostics are printed. `undefined`: all diagnostics. */
  readonly files?: readonly string[]
}

export const lintCommand = (host: Host, exit: Exit) =>
  declareLint().action((files, options, command) =>
    exit(runLint(files.length === 0 ? options : withFiles(files, options, command, host), host)),
  )

/** Without `--flags` and outside a project, the first named file selects the project. */
function withFiles(
  files: readonly string[],
  options: LintOptions,
  command: CommandUnknownOpts,
  { cwd }: Host,
): LintOptions {
  const isGiven = command.getOptionValueSource("flags") !== "default"
  if (isGiven || existsSync(resolve(cwd, options.flags, projectFileName))) return { ...options, files }
  const folder = locateFlags(dirname(resolve(cwd, files[0] ?? "")))
  return { ...options, files, flags: folder === undefined ? options.flags : relativePath(cwd, folder) }
}

/** Prints every diagnostic on stdout, and a summary on stderr. */
export async function runLint(options: LintOptions, host: Host): Promise<ExitStatus> {
  const folder = resolve(host.cwd, options.flags)
  const isNamed = namedBy(options.files, folder, host.cwd)
  const fixed = options.fix
    ? await (await import("../edit/fix-files.ts")).fixFiles(folder, isNamed)
    : undefined
  const report = createReport()
  let checkedSpecs: readonly SourceFile[] = []
  const { project, sources, ...opened } = await openProject(folderFiles(folder), report)
  if (project !== undefined) {
    const { flags, defined, invariants } = opened
    advise(opened, project, timeOf(host), report)
    const wrong = brokenPaths(report)
    const sound = flags.filter(({ source }) => !wrong.has(source.path))
    checkedSpecs = readSpecFiles(folder, report, project.ignores)
    if (checkedSpecs.length > 0) {
      const { readSpecs } = await import("../specs/read-specs.ts")
      const known = new Map(sound.map((flag) => [flag.key, flag]))
      readSpecs(checkedSpecs, { project, flags: known, areAll: wrong.size === 0 }, report)
    }
    if (!report.hasErrors) documentsAreBounded(flags, project, report)
    if (!report.hasErrors) invariantsHold({ project, flags, invariants }, report)
    reportSecrets([project.source, ...sources, ...checkedSpecs], report)
    await reportFilters(folder, sources, host.git, report)
    await refreshSchemaFiles(project, defined, sources)
  }

  // Mistakes of the project file concern every flag, so they are always printed.
  const read = new Set(sources.map(({ path }) => path))
  const isShown = (path: string) => isNamed(path) || (project === undefined && !read.has(path))
  const diagnostics = report.diagnostics.filter(isAbout(isShown))
  await printDiagnostics(diagnostics, options.format ?? (isGithub(host.env) ? "github" : "text"), host)
  if (fixed !== undefined && fixed.fixes > 0) {
    host.stderr.write(`${plural(fixed.fixes, "mistake")} fixed in ${plural(fixed.files, "file")}\n`)
  }
  const counts = formatCounts(diagnostics)
  const checked = [...sources, ...checkedSpecs].filter(({ path }) => isNamed(path))
  host.stderr.write(`${filesOf(checked)} checked: ${counts === "" ? "no mistakes" : counts}\n`)
  if (project === undefined) return 2
  const warnings = diagnostics.filter(({ severity }) => severity === "warning").length
  return warnings < diagnostics.length || warnings > (options.maxWarnings ?? Number.POSITIVE_INFINITY) ? 1 : 0
}

/** How many flags, segments and specs there are. */
function filesOf(sources: readonly SourceFile[]): string {
  const count = (isOfKind: (path: string) => boolean) => sources.filter(({ path }) => isOfKind(path)).length
  const specs = count(isSpecPath)
  const others = [plural(count(isSegmentPath), "segment"), plural(specs, "spec")]
  const flags = plural(count(isFlagSource) - specs, "flag")
  const [first = flags, ...more] = [flags, ...others].filter((words) => !words.startsWith("0 "))
  return more.length === 0 ? first : `${[first, ...more.slice(0, -1)].join(", ")} and ${more.at(-1)}`
}

/**
 * Returns a function that is true for the named paths and those below them. Throws `Failure` for a name that does not
 * exist or lies outside the flags folder.
 */
function namedBy(
  files: readonly string[] | undefined,
  folder: string,
  cwd: string,
): (path: string) => boolean {
  if (files === undefined) return () => true
  const named = files.map((file) => {
    const path = resolve(cwd, file)
    if (!existsSync(path)) throw new Failure(`no file ${file}`)
    if (!isWithin(path, folder))
      throw new Failure(
        `${file} is outside the flags folder ${folder}: name its flags folder with --flags, or name other files`,
      )
    return path
  })
  return (path) => named.some((name) => isWithin(path, name))
}

function isWithin(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : `${folder}${sep}`)
}

/** A diagnostic about two files, such as a key that both have, belongs to both. */
function isAbout(isNamed: (path: string) => boolean) {
  return ({ location, related }: Diagnostic): boolean =>
    [location, ...related.map((other) => other.location)].some(({ source }) => isNamed(source.path))
}

/** Milliseconds since the epoch. */
function timeOf({ env, now }: Host): number {
  const epoch = readSourceDateEpoch(env)
  return epoch === undefined ? now() : epoch * 1000
}
