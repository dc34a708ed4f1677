import { resolve } from "node:path"
import { Command } from "commander"
import { createReport, errorsIn } from "../diagnostics/diagnostic.ts"
import { plural } from "../diagnostics/plural.ts"
import { printMistakes } from "../diagnostics/print.ts"
import { printedPath } from "../diagnostics/workflow-commands.ts"
import { formatFile } from "../edit/format-file.ts"
import { replaceSource } from "../edit/replace-source.ts"
import type { Exit, ExitStatus, Host } from "../host.ts"
import { isDataPath } from "../reading/files/file-names.ts"
import { readSources } from "../reading/files/read.ts"
import { readProject } from "../reading/project.ts"
import { flagsOption, type OptionsOf } from "./options.ts"

const declareFmt = () =>
  new Command("fmt")
    .addOption(flagsOption())
    .option("--check", "change nothing; fail if a file is not formatted")
    .addHelpText("after", "\nExample:\n  $ flagstone fmt --check")

/** The options of `fmt`. */
export type FmtOptions = OptionsOf<typeof declareFmt>

export const fmtCommand = (host: Host, exit: Exit) =>
  declareFmt().action((options) => exit(runFmt(options, host)))

/**
 * Formats every YAML file, and names on stdout the files that changed or would change. Returns 2 if the project file has
 * mistakes, because it lists the files to ignore.
 */
export async function runFmt({ flags, check = false }: FmtOptions, host: Host): Promise<ExitStatus> {
  const folder = resolve(host.cwd, flags)
  const report = createReport()
  const project = readProject(folder, report)
  if (project === undefined) {
    printMistakes(report.diagnostics, host)
    return 2
  }
  const found = readSources(folder, report, project.ignores).filter(({ path }) => !isDataPath(path))
  const sources = [...found, project.source]
  printMistakes(errorsIn(report.diagnostics), host)
  let changed = 0
  let kept = 0
  for (const source of sources) {
    const { path, text } = source
    const result = formatFile(text)
    const name = printedPath(path, host.cwd)
    if (result.kind === "kept") {
      kept++
      host.stderr.write(`${name} is left unchanged: ${result.reason}\n`)
    } else if (result.text !== text) {
      changed++
      host.stdout.write(`${name}\n`)
      if (!check) await replaceSource(source, result.text)
    }
  }
  const verb = check ? "would change" : "changed"
  host.stderr.write(`${plural(sources.length, "file")} read, ${changed} ${verb}\n`)
  return (check && changed > 0) || kept > 0 || report.hasErrors ? 1 : 0
}
