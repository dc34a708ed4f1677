import { existsSync, readdirSync, readFileSync } from "node:fs"
import { dirname, join, resolve } from "node:path"
import { compareText, createReport, type SourceFile } from "../diagnostics/diagnostic.ts"
import { type DocsLink, publicDocs } from "../docs-address.ts"
import {
  editorSchemaFileNames,
  invariantsSchemaFileName,
  isSegmentPath,
  isSpecPath,
  projectSchemaFileName,
  schemaFileName,
  segmentSchemaFileName,
  specSchemaFileName,
} from "../reading/files/file-names.ts"
import { isLeftover } from "../reading/files/ignored-files.ts"
import { isFlagPath, isSourcePath } from "../reading/files/read.ts"
import { readSource } from "../reading/files/read-source.ts"
import type { Project } from "../reading/project.ts"
import { toSegment } from "../reading/read-segment.ts"
import type { SegmentWord } from "../reading/references.ts"
import { parseSource } from "../yaml/parse.ts"
import {
  editorSchema,
  invariantsEditorSchema,
  projectEditorSchema,
  segmentEditorSchema,
  specEditorSchema,
} from "./editor-schema.ts"

/** The text of one of the project's schema files. */
export function schemaText(name: SchemaFileName, project: Project, segments: readonly SegmentWord[]): string {
  if (name === projectSchemaFileName) return projectSchemaText()
  return textOf(makers[name]({ ...project, segments: sorted(segments) }, docs()))
}

/** The text of the project file's schema. */
export function projectSchemaText(): string {
  return textOf(projectEditorSchema(docs()))
}

/** The links in the schemas, which are the same everywhere; `undefined` if there are none. */
function docs(): DocsLink | undefined {
  return publicDocs("docs/flag-files.md")
}

const makers = {
  [schemaFileName]: editorSchema,
  [segmentSchemaFileName]: segmentEditorSchema,
  [invariantsSchemaFileName]: invariantsEditorSchema,
  [specSchemaFileName]: specEditorSchema,
}

type SchemaFileName = (typeof editorSchemaFileNames)[number]

function textOf(schema: object): string {
  return `${JSON.stringify(schema, null, 2)}\n`
}

/** By name, each name once. */
function sorted(segments: readonly SegmentWord[]): readonly SegmentWord[] {
  const words = new Map(segments.map(({ name, description }) => [name, { name, description }]))
  return [...words.values()].sort((a, b) => compareText(a.name, b.name))
}

/**
 * Writes each of the project's schema files if it is out of date, and if it exists or one of `sources` points editors at
 * it; that of specs, also if there are specs beside the schema of flags. Never writes to another path, because a pull
 * request could name any. A folder that cannot be written to stays as it is: an old schema is not worth failing for.
 * `segments` and `sources` are read if they are needed but not given; a few sources are enough to tell whether flag files
 * point at their schema.
 */
export async function refreshSchemaFiles(
  project: Project,
  segments?: readonly SegmentWord[],
  sources?: readonly SourceFile[],
): Promise<void> {
  const read = sources ?? readSomeSources(project)
  const isNamed = (path: string) => [project.source, ...read].some((source) => schemaOf(source) === path)
  const drafts: Draft[] = []
  for (const name of editorSchemaFileNames) {
    const path = join(project.folder, name)
    const before = readSchema(path)
    const isBesideFlags = name === specSchemaFileName && drafts.some((draft) => draft.name === schemaFileName)
    const isWanted = isBesideFlags ? pathsIn(project).some(isSpecPath) : isNamed(path)
    if (before === undefined && !isWanted) continue
    drafts.push({ name, path, before })
  }
  if (drafts.length === 0) return
  const words = segments ?? readSegmentWords(project)
  for (const { name, path, before } of drafts) {
    const text = schemaText(name, project, words)
    if (before !== text) await replaceSchema(path, text)
  }
}

/** The paths below the flags folder, relative to it, without those that are ignored. */
function pathsIn({ folder, ignores }: Project): readonly string[] {
  const paths = readdirSync(folder, { recursive: true, encoding: "utf8" })
  return paths.filter((path) => !isLeftover(path) && !ignores(path.replaceAll("\\", "/")))
}

/** Synchronous, because promises of files start threads, which take a short run longer than the file. */
function readSchema(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8")
  } catch (error) {
    ignoreSystemErrors(error as Error)
    return undefined
  }
}

/**
 * The segment files and some of the flag files, if the project file points at its schema but the flag files' schema is
 * missing, as in a new clone. Otherwise none: a build does not read files twice for their first lines.
 */
function readSomeSources(project: Project): readonly SourceFile[] {
  const { folder, source } = project
  const isKept = schemaOf(source) === join(folder, projectSchemaFileName)
  if (!isKept || existsSync(join(folder, schemaFileName))) return []
  const ignored = createReport()
  const paths = pathsIn(project).filter((path) => isSourcePath(path) && !isSpecPath(path))
  const [segments, flags] = [paths.filter(isSegmentPath), paths.filter(isFlagPath)]
  return [...segments, ...flags.slice(0, mostFlags)].flatMap(
    (path) => readSource(join(folder, path), ignored) ?? [],
  )
}

/** If none of this many flag files points to the schema, no editor reads it. */
const mostFlags = 100

/** A schema file to bring up to date. */
interface Draft {
  readonly name: SchemaFileName
  readonly path: string
  /** `undefined` if there is none yet. */
  readonly before: string | undefined
}

async function replaceSchema(path: string, text: string): Promise<void> {
  const { replaceFile } = await import("../files/replace-file.ts")
  await replaceFile(path, text).catch(ignoreSystemErrors)
}

/** Ignores a folder that cannot be written to. */
function ignoreSystemErrors(error: Error): void {
  if (!("syscall" in error)) throw error
}

/** The project's segments, including those with mistakes. */
export function readSegmentWords(project: Project): readonly SegmentWord[] {
  const ignored = createReport()
  return pathsIn(project)
    .filter(isSegmentPath)
    .flatMap((path) => readSource(join(project.folder, path), ignored) ?? [])
    .flatMap((source) => parseSource(source, ignored) ?? [])
    .flatMap((file) => toSegment(file, project) ?? [])
}

/** The line that points editors at the schema, for a file at the top of the flags folder. */
export const schemaLine = `# yaml-language-server: $schema=./${schemaFileName}`

/** The file that the `# yaml-language-server: $schema=` line names, relative to the flag file as editors read it. */
function schemaOf({ path, text }: SourceFile): string | undefined {
  const [, target] = /^# yaml-language-server:.*\$schema=(\S+)/m.exec(text.slice(0, 1000)) ?? []
  return target === undefined ? undefined : resolve(dirname(path), target)
}
