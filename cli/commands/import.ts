import { existsSync } from "node:fs"
import { join, resolve } from "node:path"
import { Command, Option } from "commander"
import { createReport, type SourceFile } from "../diagnostics/diagnostic.ts"
import { printMistakes } from "../diagnostics/print.ts"
import { relativePath } from "../diagnostics/relative-path.ts"
import { list } from "../diagnostics/suggest.ts"
import { attributesText } from "../edit/attributes-text.ts"
import { Failure } from "../failure.ts"
import { usedAttributes } from "../flag/used-attributes.ts"
import type { Exit, ExitStatus, Host } from "../host.ts"
import { documentsOf } from "../import/documents.ts"
import { environmentsOf, refuseEnvironments, renameEnvironments } from "../import/environments.ts"
import type { Imported } from "../import/form/form.ts"
import { isWritable, refuseCodes } from "../import/form/losses.ts"
import { openFile, readDocuments } from "../import/form/read-file.ts"
import type { ReadOptions } from "../import/form/tool.ts"
import { members, membersOf, type Node, placeOf, textsOf } from "../import/form/tree.ts"
import { importFlags } from "../import/import-flags.ts"
import { renameAttributes } from "../import/rename-attributes.ts"
import { importReport } from "../import/report.ts"
import { clockIn } from "../import/shares.ts"
import { splitBy } from "../import/split-by.ts"
import { loadTool, tools } from "../import/tools.ts"
import { isUnwritten, type Names, refuseOverwriting, writeNew } from "../import/write-files.ts"
import { importedProject } from "../init/imported-project.ts"
import { nameProject } from "../init/project-name.ts"
import { createProgress } from "../progress.ts"
import { draftsOf } from "../project/check-drafts.ts"
import { folderFiles } from "../project/files.ts"
import { openSources } from "../project/open-project.ts"
import {
  isFlagSource,
  isSegmentPath,
  keyOfFile,
  misnamedProjectFile,
  projectFileName,
  segmentNameOf,
} from "../reading/files/file-names.ts"
import { pathFrom } from "../reading/files/read.ts"
import { type Project, readProject } from "../reading/project.ts"
import { printReport, reportFormats } from "../report/formats.ts"
import { addToList, flagsOption, namesOf, type OptionsOf, projectOption } from "./options.ts"

const declareImport = () =>
  new Command("import")
    .argument("<tool>", Object.keys(tools).join(", "))
    .argument(
      "<files...>",
      "files that you exported; environment=file if the file does not name its environment",
    )
    .addOption(flagsOption())
    .addOption(
      new Option("--map <theirs=ours>", "rename an environment; may be repeated").argParser(addToList),
    )
    .addOption(
      new Option(
        "--rename <theirs=ours>",
        "rename an attribute, such as key=targetingKey; may be repeated",
      ).argParser(addToList),
    )
    .option("--dry-run", "report, but write nothing")
    .addOption(
      new Option("--accept <codes>", "codes of losses to accept, separated by commas").argParser(addToList),
    )
    .option("--skip", "leave out flags that cannot be expressed or need an answer")
    .addOption(
      new Option("--format <format>", "format of the report").choices(namesOf(reportFormats)).default("text"),
    )
    .addOption(
      new Option(
        "--strategy <name=asks>",
        "what a custom Unleash strategy checks, such as schema=in:tenant:schema-name; may be repeated",
      ).argParser(addToList),
    )
    .option("--known-values <file>", "keys of LaunchDarkly's big segments, as JSON or YAML")
    .option(
      "--split-by <attribute>",
      "attribute that holds the environment, such as env, if one file covers all environments",
    )
    .addOption(projectOption())
    .option("--attributes", "add the attributes that rules compare to the new project.yaml")
    .addHelpText(
      "after",
      "\nExample:\n  $ flagstone import unleash development=dev.json production=prod.json --dry-run",
    )

/** The options of `import`. */
export type ImportOptions = OptionsOf<typeof declareImport>

export const importCommand = (host: Host, exit: Exit) =>
  declareImport().action((tool, files, options) => exit(runImport(tool, files, options, host)))

/**
 * Imports flags, proves the result, and reports. Returns 1 if something is neither exact nor accepted. Writes nothing
 * if a flag cannot be expressed, except with `--skip`, and never overwrites a file. Throws `Failure` if nothing can be
 * read.
 */
export async function runImport(
  toolName: string,
  files: readonly string[],
  options: ImportOptions,
  host: Host,
): Promise<ExitStatus> {
  const { accept = [], skip, dryRun, format } = options
  refuseCodes(accept)
  const folder = resolve(host.cwd, options.flags)
  const isThere = [projectFileName, misnamedProjectFile].some((name) => existsSync(join(folder, name)))
  const existing = isThere ? readExisting(folder, host) : undefined
  if (existing === "mistakes") return 2
  if (existing !== undefined) refuseToChange(existing, options, host.cwd)
  const { read, tool } = await readFlags(toolName, files, options, existing, host)
  if (read.flags.length === 0) throw new Failure(`no flags in ${list([...new Set(files)])}`)
  const named = existing ?? (await nameProject(options.project, folder, dryRun ? undefined : host))
  const project = existing ?? importedProject(folder, environmentsOf(read), named.name, clockIn(read))
  refuseEnvironments(read, project)
  const progress = createProgress("flags proved:", host)
  const { attributes } = project
  const destination = { folder, attributes, check: draftsOf(project) }
  const found = await importFlags(read, tool, destination, accept, progress.show)
  progress.end()

  const projectFile = options.attributes ? await withAttributes(project, found.sources) : project.source
  const there = existsSync(folder) ? folderFiles(folder).sources(project.ignores, createReport()) : []
  const imported = withoutMoved(found.sources, there)
  const sources = existing === undefined ? [projectFile, ...imported] : imported
  const leftOut = new Set(found.results.flatMap(({ flag, open }) => (isWritable(open) ? [] : flag)))
  const keys = read.flags.map(({ key }) => key).filter((key) => !leftOut.has(key))
  refuseIgnored(sources, project, host.cwd)
  refuseOverwriting(sources, await namesIn(project, there, keys, sources), host.cwd)
  const unwritten = sources.filter(isUnwritten)
  const isBlocked = skip !== true && leftOut.size > 0
  const isDry = dryRun === true
  if (!isDry && !isBlocked) writeNew(sources, host.cwd)
  const written = isBlocked ? [] : unwritten.map(({ path }) => relativePath(host.cwd, path))
  const created = "isGuessed" in named ? { ...named, protected: project.protected } : undefined
  const report = importReport({ ...found, tool: tool.title, accepted: accept, written, created, isDry })
  printReport(report, format, host)
  if (isBlocked)
    host.stderr.write(
      `Nothing ${isDry ? "would be" : "was"} written, because some flags cannot be expressed or need an answer. --skip writes the others.\n`,
    )
  return found.results.every(({ open }) => open === "exact") ? 0 : 1
}

/** What the files have, by the names that it has in the project, and the tool that gives it its meaning. */
async function readFlags(
  toolName: string,
  files: readonly string[],
  options: ImportOptions,
  existing: Project | undefined,
  host: Host,
) {
  const tool = await loadTool(toolName)
  const opened = files.map((file) => openFile(file, host.cwd))
  const { documents, remarks } = await documentsOf(tool, opened)
  const all: Imported = {
    ...tool.read(documents, { ...toReadOptions(options, host), clock: existing?.clock }),
    named: opened.flatMap(({ environment }) => environment ?? []),
  }
  const ours = pairs(options.map)
  const theirs = (name: string) => [...ours.keys()].filter((key) => ours.get(key) === name)
  const known = (existing?.environments ?? []).flatMap(({ name }) =>
    theirs(name).length > 0 ? theirs(name) : name,
  )
  if (options.splitBy !== undefined && existing !== undefined) refuseUnknown(ours, existing)
  const split = options.splitBy === undefined ? all : splitBy(all, options.splitBy, known)
  const read = renameEnvironments(split, ours)
  const named = { ...read, remarks: [...remarks, ...read.remarks] }
  return renameAttributes({ read: named, tool }, pairs(options.rename))
}

/** Throws `Failure` if `--map` names an environment that the project does not have. */
function refuseUnknown(map: ReadonlyMap<string, string>, { environments }: Project): void {
  const names = environments.map(({ name }) => name)
  const wrong = [...map].find(([, name]) => !names.includes(name))
  if (wrong !== undefined)
    throw new Failure(`--map ${wrong.join("=")}: the project has only ${names.join(", ")}`)
}

/** Throws `Failure` if the options ask for a different project file than the one that exists. */
function refuseToChange(
  { name, source }: Project,
  { attributes, project }: ImportOptions,
  cwd: string,
): void {
  const path = relativePath(cwd, source.path)
  if (attributes)
    throw new Failure(
      `${path} already exists and is not overwritten: import without --attributes, then add what \`flagstone attributes\` prints`,
    )
  if (project !== undefined && project !== name)
    throw new Failure(`${path} already calls the project ${name}: import without --project ${project}`)
}

/** Returns "mistakes" after printing them, if the file has any. */
function readExisting(folder: string, host: Host): Project | "mistakes" {
  const report = createReport()
  const project = readProject(folder, report)
  if (project !== undefined) return project
  printMistakes(report.diagnostics, host)
  return "mistakes"
}

/** Throws `Failure` if the project ignores a file that would be written. */
function refuseIgnored(sources: readonly SourceFile[], { folder, ignores }: Project, cwd: string): void {
  const ignored = sources.filter(({ path }) => ignores(pathFrom(folder, path)))
  if (ignored.length === 0) return
  const paths = ignored.map(({ path }) => relativePath(cwd, path))
  throw new Failure(
    `${paths.join("\n")}\nwould be ignored, as ${projectFileName} says, so nothing was written`,
  )
}

/** Without segments that an earlier import wrote, wherever they are now. */
function withoutMoved(imported: readonly SourceFile[], files: readonly SourceFile[]): readonly SourceFile[] {
  const nameAndText = ({ path, text }: SourceFile) =>
    `${segmentNameOf(path)}\n${text.replace(/^# yaml-language-server:.*\n/, "")}` // which depends on the folder
  const there = new Set(files.filter(({ path }) => isSegmentPath(path)).map(nameAndText))
  return imported.filter((source) => !isSegmentPath(source.path) || !there.has(nameAndText(source)))
}

/** The names that the flags folder has and those that are imported, of each kind. Files with mistakes have the names of their paths. */
async function namesIn(
  project: Project,
  files: readonly SourceFile[],
  keys: readonly string[],
  sources: readonly SourceFile[],
): Promise<readonly Names[]> {
  const { flags } = await openSources(project, files, createReport())
  const isRead = new Set(flags.map(({ source }) => source.path))
  const broken = files.filter(({ path }) => isFlagSource(path) && !isRead.has(path))
  const segments = files.filter(({ path }) => isSegmentPath(path))
  return [
    {
      kind: "flag",
      imported: keys,
      taken: new Map([
        ...broken.map(({ path }) => [keyOfFile(path), path] as const),
        ...flags.map(({ key, source }) => [key, source.path] as const),
      ]),
    },
    {
      kind: "segment",
      imported: sources.filter(({ path }) => isSegmentPath(path)).map(({ path }) => segmentNameOf(path)),
      taken: new Map(segments.map(({ path }) => [segmentNameOf(path), path])),
    },
  ]
}

/** The project file with the attributes that the flags compare. */
async function withAttributes(project: Project, sources: readonly SourceFile[]): Promise<SourceFile> {
  const { flags, defined, invariants } = await openSources(project, sources, createReport())
  const used = usedAttributes(flags, new Map(defined.map((segment) => [segment.name, segment])), invariants)
  const { path, text } = project.source
  return { path, text: used.length === 0 ? text : `${text}${attributesText(used)}` }
}

function pairs(texts: readonly string[] = []): ReadonlyMap<string, string> {
  const values = new Map<string, string>()
  for (const text of texts) {
    const [, name, value] = /^([^=]+)=(.+)$/.exec(text) ?? []
    if (name === undefined || value === undefined) throw new Failure(`${text}: write name=value`)
    const other = values.get(name)
    if (other !== undefined && other !== value)
      throw new Failure(`${name} is given twice, as ${other} and as ${value}`)
    values.set(name, value)
  }
  return values
}

function toReadOptions({ strategy, knownValues }: ImportOptions, { cwd }: Host): ReadOptions {
  const known = knownValues === undefined ? [] : readDocuments(openFile(knownValues, cwd))
  return {
    strategies: new Map([...pairs(strategy)].map(([name, asks]) => [name, strategyAsks(asks)])),
    knownValues: new Map(known.flatMap(keysIn)),
  }
}

/** The keys of each segment. */
function keysIn(root: Node): readonly (readonly [string, readonly string[]])[] {
  const segments = members(root)
  const odd = segments.find(
    ([, node]) => !Array.isArray(node.value) || textsOf(node).length < node.value.length,
  )
  if (membersOf(root) !== undefined && odd === undefined)
    return segments.map(([name, node]) => [name, textsOf(node)])
  const { file, line } = placeOf(odd?.[1] ?? root)
  throw new Failure(
    `${file}:${line}: write a list of keys for each segment, such as \`beta-testers: [user-1, user-2]\``,
  )
}

function strategyAsks(text: string): { readonly attribute: string; readonly parameter: string } {
  const [, attribute, parameter] = /^in:([^:]+):(.+)$/.exec(text) ?? []
  if (attribute === undefined || parameter === undefined)
    throw new Failure(`${text}: write name=in:attribute:parameter`)
  return { attribute, parameter }
}
