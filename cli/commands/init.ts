import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs"
import { dirname, join, resolve, sep } from "node:path"
import { Command, Option } from "commander"
import { createReport } from "../diagnostics/diagnostic.ts"
import { relativePath } from "../diagnostics/relative-path.ts"
import { refreshSchemaFiles } from "../editor/schema-file.ts"
import { Failure } from "../failure.ts"
import { readIfThere } from "../files/read-if-there.ts"
import { replaceFile } from "../files/replace-file.ts"
import type { Exit, ExitStatus, Host } from "../host.ts"
import { ciFiles } from "../init/ci-files.ts"
import { commandName } from "../init/command-name.ts"
import { ignoreOutput } from "../init/ignore-output.ts"
import { instructAgents } from "../init/instruct-agents.ts"
import { addScripts } from "../init/package-scripts.ts"
import { planCi } from "../init/plan-ci.ts"
import { nameProject, type ProjectName } from "../init/project-name.ts"
import { exampleText, firstEnvironments, projectText } from "../init/project-text.ts"
import { shellWord } from "../init/shell-word.ts"
import { locateFlags } from "../project/locate-flags.ts"
import { projectFileName, projectSchemaFileName, schemaFileName } from "../reading/files/file-names.ts"
import { isFlagPath, readSources } from "../reading/files/read.ts"
import { readProject } from "../reading/project.ts"
import { flagsOption, namesOf, type OptionsOf, projectOption } from "./options.ts"

const declareInit = () =>
  new Command("init")
    .addOption(flagsOption())
    .addOption(projectOption())
    .addOption(
      new Option("--ci <kind>", "also write a workflow that checks pull requests and publishes").choices(
        namesOf(ciFiles),
      ),
    )
    .option("--forms", "also write a form for changes, which opens a pull request; needs --ci")
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
  if (!isNew && (options.ci === undefined || options.project !== undefined))
    throw new Failure(`${relativePath(host.cwd, projectFile)} already exists: nothing was changed`)
  if (isNew) refuseSecondProject(folder, host.cwd, options.flags !== "flags")
  const { ci, forms = false } = options
  if (forms && ci === undefined) throw new Failure("name the CI of the form with --ci")
  const project = isNew ? undefined : readProject(folder, createReport())
  if (forms && !isNew && project === undefined)
    throw new Failure(`${projectFile} has mistakes, which lint shows: nothing was changed`)
  const environments = project?.environments.map(({ name }) => name) ?? firstEnvironments
  const lane = (project?.fastLane.length ?? 0) > 0
  const plan = ci && planCi({ ci, forms, lane, folder, cwd: host.cwd, environments })

  const say = (path: string, what = "") => host.stdout.write(`${relativePath(host.cwd, path)}${what}\n`)
  const flags = options.flags === "flags" ? "" : ` --flags ${shellWord(options.flags)}`
  if (isNew) {
    const named = await nameProject(options.project, folder, host)
    const ignored = await ignoreOutput(host.cwd, folder)
    await writeProject(folder, named, say)
    if (ignored.length > 0) say(join(host.cwd, ".gitignore"), `: ${ignored.join(", ")}`)
    await writeScripts(join(host.cwd, "package.json"), flags, say)
    const path = relativePath(host.cwd, folder)
    // In the flags folder itself, the file would be a stray one.
    const agents =
      path === ""
        ? undefined
        : await instructAgents(host.cwd, { flags: path, command: commandName(host), options: flags })
    if (agents !== undefined) say(agents, ": how coding agents change flags")
  }
  for (const [path, text] of plan?.files ?? []) {
    writeNew(path, text)
    say(path)
  }
  for (const note of plan?.notes ?? []) host.stdout.write(`${note}\n`)
  host.stdout.write(`Next: ${commandName(host)} dev${flags}\n`)
  return 0
}

type Say = (path: string, what?: string) => void

async function writeProject(folder: string, { name, isGuessed }: ProjectName, say: Say): Promise<void> {
  mkdirSync(folder, { recursive: true })
  const hasFlags = readdirSync(folder, { recursive: true, encoding: "utf8" }).some(isFlagPath)
  const projectFile = join(folder, projectFileName)
  writeNew(projectFile, projectText(name))
  say(projectFile, isGuessed ? `: the project is called ${name}, as its folder is` : "")
  if (hasFlags) return
  const example = join(folder, "new-welcome.yaml")
  writeNew(example, exampleText)
  say(example)
  const report = createReport()
  const project = readProject(folder, report)
  if (project === undefined) return
  await refreshSchemaFiles(project, [], readSources(folder, report))
  say(join(folder, schemaFileName))
  say(join(folder, projectSchemaFileName))
}

async function writeScripts(path: string, flags: string, say: Say): Promise<void> {
  const text = (await readIfThere(path))?.toString("utf8")
  const added = text === undefined ? undefined : addScripts(text, flags)
  if (added === undefined) return
  await replaceFile(path, added.text)
  say(path, `: scripts ${added.names.join(", ")}`)
}

/** Flag "wx": a file that another process has written in the meantime is not overwritten. */
function writeNew(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text, { flag: "wx" })
}

/**
 * Throws `Failure` if a project in `folder` would be a second one, or if its project file exists with the wrong name. A
 * project inside another project's folders is allowed if its flags folder is named.
 */
function refuseSecondProject(folder: string, cwd: string, isNamed: boolean): void {
  const refuse = (path: string, why: string) => {
    throw new Failure(`${relativePath(cwd, path)} already exists${why}: nothing was changed`)
  }
  const misnamed = join(folder, "project.yml")
  if (existsSync(misnamed)) refuse(misnamed, ` (rename it to ${projectFileName})`)
  const found = locateFlags(dirname(folder))
  if (found === undefined) return
  if (folder.startsWith(`${found}${sep}`))
    refuse(join(found, projectFileName), ", and this folder is inside its flags folder")
  if (!isNamed)
    refuse(
      join(found, projectFileName),
      ", and this folder belongs to its project (for a separate project here, add --flags ./flags)",
    )
}
