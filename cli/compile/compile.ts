import type { Report } from "../diagnostics/diagnostic.ts"
import { assemble } from "./assemble.ts"
import type { CacheOptions } from "./cache/cache.ts"
import { checkSegmentFiles } from "./checks/check-segment-files.ts"
import { checkFlag, checkFlagsTogether } from "./checks/checks.ts"
import { compileFlags, type OnProgress } from "./compile-flags.ts"
import { createValidator } from "./definition/validate.ts"
import type { CompiledFiles } from "./history/compiled-files.ts"
import { readGitHistory } from "./history/git-history.ts"
import { replayHistory } from "./history/history.ts"
import type { HistoryOptions } from "./history/history-context.ts"
import type { Input } from "./input.ts"
import type { Build } from "./meaning/build.ts"
import { type CompiledFlag, outlineOfFlag, writeFlag } from "./meaning/compiled-flag.ts"
import { withFlags } from "./meaning/other-flags.ts"
import { resolveFlag } from "./meaning/resolve.ts"
import { type FlagFile, partition } from "./read/flag-file.ts"
import { parseSource } from "./yaml/parse.ts"

/** A build's options. */
export interface CompileOptions extends HistoryOptions, CacheOptions {
  readonly onProgress?: OnProgress
}

/**
 * Compiles a project that has been read (`input.ts`) into its snapshots and manifest; `undefined` if the report has
 * errors. With reading, these are seven stages: read, parse, validate, check, resolve, replay the history, assemble.
 * Nothing is written into the output folder.
 */
export async function compile(
  input: Input,
  report: Report,
  options: CompileOptions,
): Promise<Build | undefined> {
  const compiled = await compileFiles(input, report, options)
  return compiled && assemble(compiled.flags, compiled.history, input.project)
}

/**
 * The stages between the first and the last; `undefined` if the report has errors. Segments come first, because flags use
 * them. A flag that is cached skips its stages.
 */
export async function compileFiles(
  { project, repository, files, modifiedAt, cache }: Input,
  report: Report,
  options: CompileOptions,
): Promise<CompiledFiles | undefined> {
  const [segmentFiles, flagFiles] = partition(files)
  const { defined, segments: known } = checkSegmentFiles(segmentFiles, project, report)
  const segments = withFlags(
    known,
    flagFiles.map(({ source }) => source),
  )
  const validate = createValidator(project, segments)
  const compileFlag = (file: FlagFile): CompiledFlag | undefined => {
    const tree = parseSource(file.source, report)
    const definition = tree && validate(tree, report)
    if (definition === undefined) return undefined
    checkFlag(definition, project, report)
    return writeFlag(file, resolveFlag(definition, project))
  }
  const isWanted = () => !report.hasErrors
  const [gitHistory, flags] = await Promise.all([
    readGitHistory({ repository, project, files, from: cache.getCheckpoint(), isWanted }),
    compileFlags(flagFiles, (file) => cache.getFlag(file, segments) ?? compileFlag(file), options.onProgress),
  ])
  checkFlagsTogether(flags.map(outlineOfFlag), project, report)
  if (report.hasErrors) return undefined

  const context = { project, report, options, modifiedAt }
  const history = replayHistory({ flags, segments: defined }, gitHistory, context)
  if (report.hasErrors) return undefined
  const compiled = { flags, segments, history }
  cache.putFiles(compiled, report)
  return compiled
}
