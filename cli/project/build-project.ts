import { resolve } from "node:path"
import type { Code } from "../diagnostics/codes.ts"
import { createReport, type Report } from "../diagnostics/diagnostic.ts"
import { printMistakes, printObstacles } from "../diagnostics/print.ts"
import { refreshSchemaFiles } from "../editor/schema-file.ts"
import { Failure } from "../failure.ts"
import type { HistoryCache } from "../history/history-cache.ts"
import type { ExitStatus, Host } from "../host.ts"
import { createProgress } from "../progress.ts"
import { readProject } from "../reading/project.ts"
import type { Build } from "./build.ts"
import { type CompileOptions, compile } from "./compile.ts"
import { folderFiles } from "./files.ts"
import { type Input, readInput } from "./input.ts"
import { openProject } from "./open-project.ts"
import { reportFilters } from "./report-filters.ts"
import { readSourceDateEpoch } from "./source-date-epoch.ts"
import { writeBuild } from "./write-build.ts"

/** What to compile, and how. Paths are relative to the user's folder. */
export interface CompileRequest {
  /** The flags folder. */
  readonly flags: string
  readonly requireClean?: boolean
  readonly allowShallow?: boolean
  /** What earlier compilations of this process have replayed. */
  readonly cache?: HistoryCache
  /** What the errors prevented, after their count; by default "nothing was written". */
  readonly undone?: string
}

/** What was made from a project, or the exit status for the errors that were printed instead. */
export type ProjectResult<T> =
  | { readonly kind: "made"; readonly input: Input; readonly made: T }
  | { readonly kind: "errors"; readonly status: ExitStatus }

/** Makes something from a project that has been read; `undefined` if the report then has errors. */
export type MakeOfInput<T> = (input: Input, report: Report, options: CompileOptions) => Promise<T | undefined>

/**
 * Reads a project, calls `make` with it, and prints the diagnostics on stderr, except for those with a suppressed code.
 * Throws `Failure` if something cannot be read.
 */
export async function compileProject<T>(
  request: CompileRequest,
  host: Host,
  make: MakeOfInput<T>,
  suppressedCodes: readonly Code[] = [],
): Promise<ProjectResult<T>> {
  const report = createReport()
  const progress = createProgress("flags compiled:", host)
  const folder = resolve(host.cwd, request.flags)
  const project = readProject(folder, report)
  if (project === undefined) await openProject(folderFiles(folder), report) // for the mistakes of its flags
  const options = { ...compileOptions(request, host), onProgress: progress.show }
  const input = project && (await readInput(project, host.git, report))
  if (input !== undefined) {
    const sources = input.files.map(({ source }) => source)
    await reportFilters(folder, sources, host.git, report)
  }
  const made = input && (await make(input, report, options).finally(progress.end))
  const diagnostics = report.diagnostics.filter(({ code }) => !suppressedCodes.includes(code))
  if (input !== undefined && made !== undefined) {
    printMistakes(diagnostics, host)
    return { kind: "made", input, made }
  }
  printObstacles(diagnostics, request.undone ?? "nothing was written", host)
  return { kind: "errors", status: project === undefined ? 2 : 1 }
}

/**
 * Compiles a project, prints its diagnostics, and writes the build into the folder `out`. Throws `Failure` if something
 * cannot be read or written.
 */
export async function buildProject(
  request: CompileRequest & { readonly out: string },
  host: Host,
  suppressedCodes: readonly Code[] = [],
): Promise<ProjectResult<Build>> {
  const result = await compileProject(request, host, compile, suppressedCodes)
  if (result.kind === "errors") return result
  await write(result.made, resolve(host.cwd, request.out), host)
  await refreshSchemaFiles(result.input.project)
  return result
}

/** The options of a compilation, from the request and the environment. */
export function compileOptions(
  { requireClean, allowShallow, cache }: CompileRequest,
  host: Host,
): CompileOptions {
  return {
    requireClean: requireClean ?? false,
    allowShallow: allowShallow ?? false,
    cache,
    sourceDateEpoch: readSourceDateEpoch(host.env),
  }
}

async function write(build: Build, folder: string, host: Host): Promise<void> {
  const cause = await writeBuild(build, folder, host).catch((error: Error) => {
    throw new Failure(`cannot write to ${folder}, so nothing there has changed: ${error.message}`, {
      cause: error,
    })
  })
  if (cause === undefined) return
  throw new Failure(`${folder} has this build, which a crash of the machine may undo: ${cause.message}`, {
    cause,
  })
}
