import type { Report, Source } from "../diagnostics/diagnostic.ts"
import type { Git } from "../git.ts"
import { assemble, type Build } from "./assemble.ts"
import { type CompiledFlag, writeFlag } from "./compiled-flag.ts"
import type { Definition } from "./definition.ts"
import { walkFolder } from "./history/folders.ts"
import { findRepository } from "./history/repository.ts"
import { blobId } from "./history/work-tree.ts"
import { type HistoryOptions, readHistory } from "./history.ts"
import { openLastBuild } from "./last-build.ts"
import { identityOf, type Memory, type MemoryOptions, openMemory } from "./memory.ts"
import { parseSource } from "./parse.ts"
import type { Project } from "./project.ts"
import { pathFrom, readSources } from "./read.ts"
import { resolveFlag } from "./resolve.ts"
import { commonRules, rules } from "./rules.ts"
import { createValidator } from "./validate.ts"

/** What a build is asked for. */
export interface CompileOptions extends HistoryOptions, MemoryOptions {
  /** Is told, now and then, how many of all flag files have been compiled. */
  readonly onProgress?: (done: number, all: number) => void
}

/** Checks flag files, and gives the definitions it could make of them. Every mistake is reported. */
export function check(sources: readonly Source[], project: Project, report: Report): readonly Definition[] {
  const checkFile = createFileCheck(project)
  const definitions = sources.flatMap((source) => checkFile(source, report))
  for (const rule of commonRules) rule(definitions, project, report)
  return definitions
}

/** Compiles a project into its snapshots and manifest; `undefined` where the report has errors. */
export async function compile(
  project: Project,
  git: Git,
  report: Report,
  options: CompileOptions,
): Promise<Build | undefined> {
  const repository = await findRepository(project.folder, git)
  const files = readSources(project.folder, report).map((source) => {
    return { source, blob: blobId(source.text, repository.hash) }
  })
  const blobs = files.map(({ source, blob }) => `${blob} ${pathFrom(project.folder, source.path)}`)
  const lastBuild = openLastBuild(repository, project, blobs, options)
  const same = report.diagnostics.length === 0 ? lastBuild.recall() : undefined
  if (same !== undefined) return same

  const memory = openMemory(repository, project, options)
  const walking = repository.kind === "inside" ? walkFolder(git, repository) : Promise.resolve([])
  walking.catch(() => {}) // it is awaited, and its failure thrown, after the mistakes of the files
  const flags = await compileFlags(files, project, memory, report, options)
  if (report.hasErrors) return undefined
  const history = await readHistory(flags, project, repository, await walking, git, memory, report, options)
  if (report.hasErrors) return undefined
  const build = assemble(flags, history, project)
  memory.keep()
  if (report.diagnostics.length === 0) lastBuild.keep(build)
  return build
}

/** Makes the check of one file by itself. */
function createFileCheck(project: Project): (source: Source, report: Report) => readonly Definition[] {
  const validateFile = createValidator(project)
  return (source, report) => {
    const definitions = parseSource(source, report).flatMap((file) => validateFile(file, report))
    for (const rule of rules) rule(definitions, project, report)
    return definitions
  }
}

/** As `check`, but what was found without mistakes before is remembered, and each file's tree is let go at once. */
async function compileFlags(
  files: readonly Pick<CompiledFlag, "source" | "blob">[],
  project: Project,
  memory: Memory,
  report: Report,
  { onProgress }: CompileOptions,
): Promise<readonly CompiledFlag[]> {
  const checkFile = createFileCheck(project)
  const flags: CompiledFlag[] = []
  for (const [done, { source, blob }] of files.entries()) {
    if (done % stride === 0) {
      onProgress?.(done, files.length)
      await new Promise(setImmediate) // lets git's answer in, which is under way meanwhile
    }
    const identity = identityOf(blob, source.path)
    const known = memory.flag(identity)
    if (known !== undefined) {
      flags.push({ source, blob, ...known })
      continue
    }
    const mistakes = report.diagnostics.length
    for (const definition of checkFile(source, report)) {
      const { key, keySpan, id } = definition
      const outline = {
        key,
        keySpan,
        id,
        configurations: definition.configurations.map(({ environment, id }) => ({ environment, id })),
      }
      const flag = { outline, ...writeFlag(resolveFlag(definition, project)) }
      flags.push({ source, blob, ...flag })
      if (report.diagnostics.length === mistakes) memory.learnFlag(identity, flag)
    }
  }
  const outlines = flags.map(({ source, outline }) => ({ source, ...outline }))
  for (const rule of commonRules) rule(outlines, project, report)
  return flags
}

const stride = 250
