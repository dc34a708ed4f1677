import { resolve } from "node:path"
import { Command, Option } from "commander"
import { createReport } from "../diagnostics/diagnostic.ts"
import { printMistakes } from "../diagnostics/print.ts"
import { projectSchemaText, readSegmentWords, schemaText } from "../editor/schema-file.ts"
import type { Exit, ExitStatus, Host } from "../host.ts"
import {
  invariantsSchemaFileName,
  schemaFileName,
  segmentSchemaFileName,
  specSchemaFileName,
} from "../reading/files/file-names.ts"
import { readProject } from "../reading/project.ts"
import { flagsOption, type OptionsOf } from "./options.ts"

const declareSchema = () =>
  new Command("schema")
    .addOption(flagsOption())
    .addOption(
      new Option("--project", "print the schema of the project file instead").conflicts([
        "segments",
        "invariants",
        "specs",
      ]),
    )
    .addOption(
      new Option("--segments", "print the schema of the segment files instead").conflicts([
        "invariants",
        "specs",
      ]),
    )
    .addOption(
      new Option("--invariants", "print the schema of the invariants files instead").conflicts("specs"),
    )
    .option("--specs", "print the schema of the spec files instead")
    .addHelpText("after", "\nExample:\n  $ flagstone schema > flags/flag.schema.json")

/** The options of `schema`. */
export type SchemaOptions = OptionsOf<typeof declareSchema>

export const schemaCommand = (host: Host, exit: Exit) =>
  declareSchema().action((options) => exit(runSchema(options, host)))

/** Prints a schema on stdout, and the project file's diagnostics on stderr. */
export async function runSchema(options: SchemaOptions, host: Host): Promise<ExitStatus> {
  if (options.project === true) {
    host.stdout.write(projectSchemaText())
    return 0
  }
  const report = createReport()
  const project = readProject(resolve(host.cwd, options.flags), report)
  printMistakes(report.diagnostics, host)
  if (project === undefined) return 2
  host.stdout.write(schemaText(nameOf(options), project, readSegmentWords(project)))
  return 0
}

function nameOf({ invariants, specs, segments }: SchemaOptions) {
  if (invariants) return invariantsSchemaFileName
  if (specs) return specSchemaFileName
  return segments ? segmentSchemaFileName : schemaFileName
}
