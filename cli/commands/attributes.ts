import { resolve } from "node:path"
import { Command } from "commander"
import { createReport } from "../diagnostics/diagnostic.ts"
import { formatCounts, formatText } from "../diagnostics/format-text.ts"
import { plural } from "../diagnostics/plural.ts"
import { hasColour, pathsFrom } from "../diagnostics/terminal.ts"
import { printedPath } from "../diagnostics/workflow-commands.ts"
import { addAttributes } from "../edit/add-attributes.ts"
import { attributesText } from "../edit/attributes-text.ts"
import { readWorkTree } from "../evaluate/read-work-tree.ts"
import { Failure } from "../failure.ts"
import { replaceFile } from "../files/replace-file.ts"
import { type UsedAttribute, usedAttributes } from "../flag/used-attributes.ts"
import type { Exit, ExitStatus, Host } from "../host.ts"
import { folderFiles } from "../project/files.ts"
import type { Project } from "../reading/project.ts"
import { flagsOption, type OptionsOf } from "./options.ts"

const declareAttributes = () =>
  new Command("attributes")
    .addOption(flagsOption())
    .option("--write", "add those that project.yaml does not list to its `attributes`")
    .addHelpText("after", "\nExample:\n  $ flagstone attributes --write")

/** The options of `attributes`. */
export type AttributesOptions = OptionsOf<typeof declareAttributes>

export const attributesCommand = (host: Host, exit: Exit) =>
  declareAttributes().action((options) => exit(runAttributes(options, host)))

/**
 * Prints the attributes that rules use, as `attributes:` of the project file, or adds those that it lacks to it. Returns 1 if
 * a flag has an error.
 */
export async function runAttributes({ flags, write }: AttributesOptions, host: Host): Promise<ExitStatus> {
  const report = createReport()
  const tree = await readWorkTree(folderFiles(resolve(host.cwd, flags)), report)
  // This command is for attributes that the project file does not list yet.
  const errors = report.diagnostics.filter(
    ({ code, severity }) => severity === "error" && code !== "unknown-attribute",
  )
  host.stderr.write(formatText(errors, pathsFrom(host), hasColour(host, "stderr")))
  if (tree === undefined) return 2
  const used = usedAttributes([...tree.flags.values()], tree.segments)
  if (write === true) await addTo(tree.project, used, host)
  else {
    if (tree.project.attributes !== undefined)
      host.stderr.write("project.yaml already has `attributes`: --write adds those that are missing\n")
    host.stdout.write(attributesText(used))
  }
  if (errors.length === 0) return 0
  host.stderr.write(`${formatCounts(errors)}: some rules may be missing\n`)
  return 1
}

async function addTo(project: Project, used: readonly UsedAttribute[], host: Host): Promise<void> {
  const { path, text } = project.source
  const name = printedPath(path, host.cwd)
  const changed = addAttributes(project, used)
  if (changed === undefined)
    throw new Failure(`${name} is left unchanged: write its \`attributes\` as a mapping, without an alias`)
  if (changed !== text) await replaceFile(path, changed)
  const added = used.filter((one) => !project.attributes?.has(one.name)).length
  host.stderr.write(
    added === 0 ? `${name} lists them all\n` : `${name}: ${plural(added, "attribute")} added\n`,
  )
}
