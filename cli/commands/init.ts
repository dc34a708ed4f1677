import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs"
import { basename, dirname, join, relative, resolve } from "node:path"
import { Command, Option } from "commander"
import { readProject } from "../compile/definition/project.ts"
import { projectNamePattern } from "../compile/grammar/names.ts"
import { projectFileName, projectSchemaFileName, schemaFileName } from "../compile/read/file-names.ts"
import { isFlagPath, readSources } from "../compile/read/read.ts"
import { createReport } from "../diagnostics/diagnostic.ts"
import { refreshSchemaFiles } from "../editor/schema-file.ts"
import { Failure } from "../failure.ts"
import { readIfThere } from "../files/read-if-there.ts"
import { replaceFile } from "../files/replace-file.ts"
import type { Git } from "../git.ts"
import type { Exit, ExitStatus, Host } from "../host.ts"
import { type Ci, ciFiles, ciText, gitlabInclude } from "../init/ci-files.ts"
import { commandName } from "../init/command-name.ts"
import { ignoreOutput } from "../init/ignore-output.ts"
import { addScripts } from "../init/package-scripts.ts"
import { exampleText, projectText } from "../init/project-text.ts"
import { refuseSecondProject } from "../init/refuse-second-project.ts"
import { flagsOption, namesOf, type OptionsOf } from "./options.ts"

const declareInit = () =>
  new Command("init")
    .addOption(flagsOption())
    .addOption(
      new Option("--ci <kind>", "also write a workflow that checks pull requests and publishes").choices(
        namesOf(ciFiles),
      ),
    )
    .addHelpText("after", "\nExample:\n  $ flagstone init --ci github && flagstone dev")

/** The options of `init`. */
export type InitOptions = OptionsOf<typeof declareInit>

export const initCommand = (host: Host, exit: Exit) =>
  declareInit().action((options) => exit(runInit(options, host)))

/**
 * Writes the files of a new project, and of its CI if asked to, and prints their names. Never overwrites a file: throws
 * `Failure` before the first write if the project or workflow already exists.
 */
export async function runInit(options: InitOptions, host: Host): Promise<ExitStatus> {
  const folder = resolve(host.cwd, options.flags)
  const projectFile = join(folder, projectFileName)
  const isNew = !existsSync(projectFile)
  if (!isNew && options.ci === undefined)
    throw new Failure(`${relative(host.cwd, projectFile)} already exists: nothing was changed`)
  if (isNew) refuseSecondProject(folder, host.cwd, options.flags !== "flags")
  const workflow = options.ci === undefined ? undefined : planWorkflow(options.ci, folder, host.cwd)

  const say = (path: string, what = "") => host.stdout.write(`${relative(host.cwd, path)}${what}\n`)
  const flags = options.flags === "flags" ? "" : ` --flags ${quoted(options.flags)}`
  if (isNew) {
    // First, because schemas that git ignores link to the pages that are installed here.
    const ignored = await ignoreOutput(host.cwd, folder)
    await writeProject(folder, host.git, say)
    if (ignored.length > 0) say(join(host.cwd, ".gitignore"), `: ${ignored.join(", ")}`)
    await writeScripts(join(host.cwd, "package.json"), flags, say)
  }
  for (const [path, text] of workflow ?? []) {
    writeNew(path, text)
    say(path)
  }
  if (options.ci === "gitlab" && workflow?.length === 1)
    host.stdout.write(`Add to .gitlab-ci.yml: ${gitlabInclude}\n`)
  if (options.ci !== undefined)
    host.stdout.write("CI publishes nothing until you set its variable FLAGS_TARGET; see docs/ci.md\n")
  host.stdout.write(`Next: ${commandName(host)} dev${flags}\n`)
  return 0
}

type Say = (path: string, what?: string) => void

async function writeProject(folder: string, git: Git, say: Say): Promise<void> {
  mkdirSync(folder, { recursive: true })
  const hasFlags = readdirSync(folder, { recursive: true, encoding: "utf8" }).some(isFlagPath)
  const parent = basename(dirname(folder))
  writeNew(
    join(folder, projectFileName),
    projectText(projectNamePattern.test(parent) ? parent : "my-project"),
  )
  say(join(folder, projectFileName))
  if (hasFlags) return
  const example = join(folder, "new-welcome.yaml")
  writeNew(example, exampleText)
  say(example)
  const report = createReport()
  const project = readProject(folder, report)
  if (project === undefined) return
  await refreshSchemaFiles(project, git, [], readSources(folder, report))
  say(join(folder, schemaFileName))
  say(join(folder, projectSchemaFileName))
}

async function writeScripts(path: string, flags: string, say: Say): Promise<void> {
  const text = (await readIfThere(path))?.toString("utf8")
  const added = text === undefined ? undefined : addScripts(text, flags)
  if (added === undefined) return
  await replaceFile(path, added)
  say(path, ": scripts flags:dev, flags:lint, flags:fmt, flags:test, flags:build")
}

/** The CI's files: their paths and contents. */
function planWorkflow(ci: Ci, folder: string, cwd: string): readonly (readonly [string, string])[] {
  const top = topOfRepository(cwd)
  const flags = relative(top, folder).replaceAll("\\", "/")
  if (top !== cwd)
    throw new Failure(
      `CI looks for its files at the top of the repository: run this in ${top} with --flags ${quoted(flags)}; nothing was changed`,
    )
  const path = join(cwd, ciFiles[ci].path)
  if (existsSync(path)) throw new Failure(`${ciFiles[ci].path} already exists: nothing was changed`)
  const jobs = [path, ciText(ci, flags)] as const
  const include = join(cwd, ".gitlab-ci.yml")
  return ci === "gitlab" && !existsSync(include) ? [jobs, [include, `${gitlabInclude}\n`]] : [jobs]
}

/** The nearest folder with `.git`; outside git, the folder itself. */
function topOfRepository(cwd: string): string {
  for (let folder = cwd; ; folder = dirname(folder)) {
    if (existsSync(join(folder, ".git"))) return folder
    if (folder === dirname(folder)) return cwd
  }
}

/** Flag "wx": a file that another process has written in the meantime is not overwritten. */
function writeNew(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text, { flag: "wx" })
}

/** The path as one word in every shell, even inside JSON. */
function quoted(path: string): string {
  return /^[\w./-]+$/.test(path) ? path : `"${path}"`
}
