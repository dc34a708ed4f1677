import { existsSync, mkdirSync, writeFileSync } from "node:fs"
import { basename, dirname, join, relative, resolve } from "node:path"
import { Command, Option } from "commander"
import { type Project, parseProject, readProject } from "../compile/definition/project.ts"
import { projectFileName } from "../compile/read/file-names.ts"
import { readSources } from "../compile/read/read.ts"
import { createReport, type SourceFile } from "../diagnostics/diagnostic.ts"
import { formatText as formatDiagnostics } from "../diagnostics/format-text.ts"
import { list } from "../diagnostics/suggest.ts"
import { hasColour, pathsFrom } from "../diagnostics/terminal.ts"
import { Failure } from "../failure.ts"
import type { Exit, ExitStatus, Host } from "../host.ts"
import type { Draft } from "../import/draft.ts"
import type { Imported } from "../import/form/form.ts"
import { losses } from "../import/form/losses.ts"
import { openFile, readDocuments } from "../import/form/read-file.ts"
import type { ReadOptions, Tool } from "../import/form/tool.ts"
import { members, type Node, textsOf } from "../import/form/tree.ts"
import { importFlags } from "../import/import-flags.ts"
import { formatJson, formatMarkdown, formatText, isFaithful, refusedFlags } from "../import/report.ts"
import { splitBy } from "../import/split-by.ts"
import { refuseOthers, type ToolName, tools } from "../import/tools.ts"
import { projectText } from "../import/write-project.ts"
import { createProgress } from "../progress.ts"
import { addToList, flagsOption } from "./options.ts"

/** The options of `import`. */
export interface ImportOptions {
  readonly flags: string
  readonly map?: readonly string[]
  readonly dryRun?: boolean
  readonly accept?: readonly string[]
  /** Write the flags that can be expressed, though others cannot. */
  readonly skip?: boolean
  readonly format: keyof typeof formats
  readonly strategy?: readonly string[]
  readonly knownValues?: string
  readonly splitBy?: string
  readonly attributes?: boolean
}

const formats = { text: formatText, json: formatJson, markdown: formatMarkdown }

export const importCommand = (host: Host, exit: Exit): Command =>
  new Command("import")
    .argument("<tool>", `${Object.keys(tools).join(", ")}`)
    .argument("<files...>", "what the tool exported; environment=file for a file of one environment")
    .addOption(flagsOption())
    .addOption(
      new Option(
        "--map <theirs=ours>",
        "another name for an environment; may be given several times",
      ).argParser(addToList),
    )
    .option("--dry-run", "write nothing, only report")
    .addOption(new Option("--accept <codes>", "losses that are fine, by their codes").argParser(addToList))
    .option("--skip", "leave out the flags that cannot be expressed, and write the rest")
    .addOption(
      new Option("--format <format>", "the report's format").choices(Object.keys(formats)).default("text"),
    )
    .addOption(
      new Option(
        "--strategy <name=asks>",
        "what a custom strategy asks, such as schema=in:schema:schema-name",
      ).argParser(addToList),
    )
    .option("--known-values <file>", "keys of segments whose keys the export does not have, as JSON or YAML")
    .option(
      "--split-by <attribute>",
      "the attribute that tells environments apart in one file for all, such as env",
    )
    .option("--attributes", "list the attributes that occur in project.yaml")
    .addHelpText(
      "after",
      "\nExample:\n  $ flagstone import unleash development=dev.json production=prod.json --dry-run",
    )
    .action((tool: string, files: readonly string[], options: ImportOptions) =>
      exit(runImport(tool, files, options, host)),
    )

/**
 * Imports flags, proves what it made, and reports. 1 where something is neither exact nor accepted. Writes nothing
 * where a flag cannot be expressed, unless `--skip`, and never over a file. Throws `Failure` where nothing can be read.
 */
export async function runImport(
  toolName: string,
  files: readonly string[],
  options: ImportOptions,
  host: Host,
): Promise<ExitStatus> {
  const tool = await loadTool(toolName)
  for (const code of options.accept ?? [])
    if (!Object.hasOwn(losses, code)) throw new Failure(`no loss ${code}: docs/import.md lists them`)
  const folder = resolve(host.cwd, options.flags)
  const documents = files.flatMap((file) => readDocuments(openFile(file, host.cwd)))
  await refuseOthers(tool, documents)
  const existing = existsSync(join(folder, projectFileName)) ? readExisting(folder, host) : undefined
  if (existing === "mistakes") return 2
  const names = mapped(pairs(options.map))
  const read = mapEnvironments(readFlags(tool, documents, readOptions(options, existing, host)), names)
  if (read.flags.length === 0) throw new Failure(`no flag is in ${list([...new Set(files)])}`)
  const project = existing ?? newProject(folder, environmentsOf(read))
  refuseEnvironments(read, project)
  const progress = createProgress("Proved", host)
  const found = await importFlags(read, tool, project, options.accept ?? [], host.now(), progress.show)
  progress.end()

  const created = existing === undefined ? [projectSource(project, options, found.draft)] : []
  const sources = [...created, ...found.sources]
  const isBlocked = refusedFlags(found.results).length > 0 && options.skip !== true
  const isDry = options.dryRun === true || isBlocked
  refuseOverwriting(
    sources,
    existing,
    found.draft.flags.map(({ flag }) => flag.key),
    host,
  )
  if (!isDry) for (const source of sources) writeNew(source)
  const written =
    isBlocked && options.dryRun !== true ? [] : sources.map(({ path }) => relative(host.cwd, path))
  host.stdout.write(formats[options.format]({ ...found, tool: tool.title, written, isDry }))
  if (isBlocked)
    host.stderr.write(
      `Nothing was written, because flags cannot be expressed or need an answer. --skip writes the others.\n`,
    )
  return isFaithful(found.results) ? 0 : 1
}

function readFlags(tool: Tool, documents: readonly Node[], options: ReadOptions): Imported {
  const read = tool.read(documents, options)
  return options.splitBy === undefined ? read : splitBy(read, options.splitBy, options.environments)
}

async function loadTool(name: string) {
  if (!Object.hasOwn(tools, name)) throw new Failure(`no tool ${name}. Known: ${list(Object.keys(tools))}.`)
  return tools[name as ToolName]()
}

/** `undefined`: it has mistakes, which were printed. */
function readExisting(folder: string, host: Host): Project | "mistakes" {
  const report = createReport()
  const project = readProject(folder, report)
  if (project !== undefined) return project
  host.stderr.write(formatDiagnostics(report.diagnostics, pathsFrom(host), hasColour(host, "stderr")))
  return "mistakes"
}

function pairs(texts: readonly string[] = []): readonly (readonly [string, string])[] {
  return texts.map((text) => {
    const [, name, value] = /^([^=]+)=(.+)$/.exec(text) ?? []
    if (name === undefined || value === undefined) throw new Failure(`${text}: write name=value`)
    return [name, value]
  })
}

function readOptions(
  { strategy, knownValues, splitBy }: ImportOptions,
  existing: Project | undefined,
  host: Host,
): ReadOptions {
  const known =
    knownValues === undefined
      ? []
      : readDocuments(openFile(knownValues, host.cwd)).flatMap((one) => members(one))
  return {
    strategies: new Map(pairs(strategy)),
    knownValues: new Map(known.map(([name, node]) => [name, textsOf(node)])),
    splitBy,
    environments: existing?.environments.map(({ name }) => name) ?? [],
  }
}

function mapped(map: readonly (readonly [string, string])[]): (name: string) => string {
  const names = new Map(map)
  return (name) => names.get(name) ?? name
}

function mapEnvironments(read: Imported, nameOf: (name: string) => string): Imported {
  const rename = <T extends { readonly environment: string }>(one: T): T => ({
    ...one,
    environment: nameOf(one.environment),
  })
  const flags = read.flags.map((flag) => ({ ...flag, configurations: flag.configurations.map(rename) }))
  for (const { key, configurations } of flags)
    if (new Set(configurations.map(({ environment }) => environment)).size < configurations.length)
      throw new Failure(
        `the flag ${key} is there twice for one environment: name each file's, as in development=dev.json production=prod.json`,
      )
  return { ...read, flags, segments: read.segments.map(rename) }
}

/** Production comes last: a change goes there at the end. */
function environmentsOf({ flags }: Imported): readonly string[] {
  const names = new Set(
    flags.flatMap(({ configurations }) => configurations.map(({ environment }) => environment)),
  )
  return [...names].toSorted((a, b) => Number(/^pro?d/i.test(a)) - Number(/^pro?d/i.test(b)))
}

function newProject(folder: string, environments: readonly string[]): Project {
  const report = createReport()
  const source = {
    path: join(folder, projectFileName),
    text: projectText(basename(dirname(folder)), environments, []),
  }
  const project = parseProject(source, folder, report)
  if (project !== undefined) return project
  const [first] = report.diagnostics
  throw new Failure(`${first?.message ?? "no project can be made of this"} Rename it with --map theirs=ours.`)
}

function projectSource(project: Project, { attributes }: ImportOptions, draft: Draft): SourceFile {
  const environments = project.environments.map(({ name }) => name)
  const text = projectText(project.name, environments, attributes === true ? draft.attributes : [])
  return { path: project.source.path, text }
}

function refuseEnvironments(read: Imported, { environments, source }: Project): void {
  const known = environments.map(({ name }) => name)
  const unknown = environmentsOf(read).filter((name) => !known.includes(name))
  if (unknown.length > 0)
    throw new Failure(
      `${source.path} has no environment ${list(unknown)}: add it there, or say which is meant, as in --map ${unknown[0]}=${known[0]}`,
    )
}

/** Nothing is ever overwritten, and no flag is there twice. */
function refuseOverwriting(
  sources: readonly SourceFile[],
  existing: Project | undefined,
  keys: readonly string[],
  host: Host,
): void {
  const there = sources.filter(({ path }) => existsSync(path)).map(({ path }) => relative(host.cwd, path))
  if (there.length > 0)
    throw new Failure(
      `${there.join("\n")}\n${there.length === 1 ? "is" : "are"} there already: nothing was changed`,
    )
  if (existing === undefined) return
  const own = new Map(
    readSources(existing.folder, createReport(), existing.ignores).map(({ path, text }) => [
      /^key: *(\S+)/m.exec(text)?.[1] ?? basename(path).replace(/\.ya?ml$/, ""),
      path,
    ]),
  )
  const both = keys.filter((key) => own.has(key))
  if (both.length > 0)
    throw new Failure(
      `${both.map((key) => `${key} (${relative(host.cwd, own.get(key) ?? "")})`).join("\n")}\nflags of these keys are there already: nothing was changed`,
    )
}

/** Flag "wx": a file that another process has written in the meantime is not overwritten. */
function writeNew({ path, text }: SourceFile): void {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text, { flag: "wx" })
}
