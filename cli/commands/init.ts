import { existsSync, mkdirSync, writeFileSync } from "node:fs"
import { basename, join, relative, resolve } from "node:path"
import { Command } from "commander"
import { projectNamePattern } from "../compile/definition/names.ts"
import { readProject } from "../compile/definition/project.ts"
import { projectFileName, readSources } from "../compile/definition/read.ts"
import { createReport } from "../diagnostics/diagnostic.ts"
import { refreshSchemaFile, schemaLine } from "../edit/schema-file.ts"
import { Failure } from "../failure.ts"
import type { Exit, ExitStatus, Host } from "../host.ts"
import { flagsOption } from "./options.ts"

/** The options of `init`. */
export interface InitOptions {
  readonly flags: string
}

export const initCommand = (host: Host, exit: Exit): Command =>
  new Command("init")
    .addOption(flagsOption())
    .addHelpText("after", "\nExample:\n  $ flagstone init && flagstone dev")
    .action((options: InitOptions) => exit(runInit(options, host)))

/** Writes the files of a project that builds, and the schema that helps to edit them. Throws `Failure` where there is a project already. */
export async function runInit(options: InitOptions, host: Host): Promise<ExitStatus> {
  const folder = resolve(host.cwd, options.flags)
  const projectFile = join(folder, projectFileName)
  if (existsSync(projectFile))
    throw new Failure(`${relative(host.cwd, projectFile)} is there already: nothing was changed`)
  mkdirSync(folder, { recursive: true })
  const parent = basename(resolve(folder, ".."))
  // "wx": what another process has written in the meantime is not overwritten.
  writeFileSync(projectFile, projectText(projectNamePattern.test(parent) ? parent : "my-project"), {
    flag: "wx",
  })
  const flagFile = join(folder, "new-welcome.yaml")
  if (!existsSync(flagFile)) writeFileSync(flagFile, flagText, { flag: "wx" })
  const report = createReport()
  const project = readProject(folder, report)
  if (project !== undefined) await refreshSchemaFile(project, readSources(folder, report))
  host.stdout.write(`${relative(host.cwd, folder) || "."}: a project with one flag. Next: flagstone dev\n`)
  return 0
}

const projectText = (name: string) => `project: ${JSON.stringify(name)}
environments: [development, production]
`

const flagText = `${schemaLine}
# The file's name is the flag key: new-welcome.
name: New welcome page
description: Greets people by name.
defaultValue: false
environments:
  development:
    enabled: true
    rules:
      - operator: always
        returnValue: true
  production:
    enabled: true
    rules:
      - attribute: email
        operator: endsWith
        value: "@example.com"
        returnValue: true
`
