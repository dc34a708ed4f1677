import { resolve } from "node:path"
import { Command } from "commander"
import { createReport, errorsIn } from "../diagnostics/diagnostic.ts"
import { formatCounts } from "../diagnostics/format-text.ts"
import { printMistakes } from "../diagnostics/print.ts"
import { attributesText } from "../edit/attributes-text.ts"
import { readWorkTree } from "../evaluate/read-work-tree.ts"
import { usedAttributes } from "../flag/used-attributes.ts"
import type { Exit, ExitStatus, Host } from "../host.ts"
import { folderFiles } from "../project/files.ts"
import { flagsOption, type OptionsOf } from "./options.ts"

const declareAttributes = () =>
  new Command("attributes")
    .addOption(flagsOption())
    .addHelpText("after", "\nExample:\n  $ flagstone attributes")

/** The options of `attributes`. */
export type AttributesOptions = OptionsOf<typeof declareAttributes>

export const attributesCommand = (host: Host, exit: Exit) =>
  declareAttributes().action((options) => exit(runAttributes(options, host)))

/** Prints the attributes that conditions use, as `attributes:` of the project file. Returns 1 if a flag has an error. */
export async function runAttributes({ flags }: AttributesOptions, host: Host): Promise<ExitStatus> {
  const report = createReport()
  const tree = await readWorkTree(folderFiles(resolve(host.cwd, flags)), report)
  // This command is for attributes that the project file does not list yet.
  const errors = errorsIn(report.diagnostics).filter(({ code }) => code !== "unknown-attribute")
  printMistakes(errors, host)
  if (tree === undefined) return 2
  if (tree.project.attributes !== undefined)
    host.stderr.write("project.yaml already has `attributes`: add only those that it lacks\n")
  host.stdout.write(attributesText(usedAttributes([...tree.flags.values()], tree.segments, tree.invariants)))
  if (errors.length === 0) return 0
  host.stderr.write(`${formatCounts(errors)}: some rules may be missing\n`)
  return 1
}
