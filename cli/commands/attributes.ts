import { resolve } from "node:path"
import { Command } from "commander"
import { usedAttributes } from "../compile/facts/used-attributes.ts"
import { createReport } from "../diagnostics/diagnostic.ts"
import { formatCounts, formatText } from "../diagnostics/format-text.ts"
import { hasColour, pathsFrom } from "../diagnostics/terminal.ts"
import { attributesText } from "../edit/attributes-text.ts"
import { readWorkTree } from "../evaluate/read-work-tree.ts"
import type { Exit, ExitStatus, Host } from "../host.ts"
import { flagsOption, type OptionsOf } from "./options.ts"

const declareAttributes = () =>
  new Command("attributes")
    .addOption(flagsOption())
    .addHelpText(
      "after",
      "\nAppend its output only to a project.yaml without `attributes`.\n\nExample:\n  $ flagstone attributes >> flags/project.yaml",
    )

/** The options of `attributes`. */
export type AttributesOptions = OptionsOf<typeof declareAttributes>

export const attributesCommand = (host: Host, exit: Exit) =>
  declareAttributes().action((options) => exit(runAttributes(options, host)))

/** Prints the attributes that rules use, as `attributes:` of the project file. Returns 1 if a flag has an error. */
export async function runAttributes({ flags }: AttributesOptions, host: Host): Promise<ExitStatus> {
  const report = createReport()
  const tree = await readWorkTree(resolve(host.cwd, flags), report)
  // This command is for attributes that the project file does not list yet.
  const errors = report.diagnostics.filter(
    ({ code, severity }) => severity === "error" && code !== "unknown-attribute",
  )
  host.stderr.write(formatText(errors, pathsFrom(host), hasColour(host, "stderr")))
  if (tree === undefined) return 2
  const used = usedAttributes(
    [...tree.flags.values()].map(({ definition }) => definition),
    tree.segments,
  )
  if (tree.project.attributes !== undefined)
    host.stderr.write(
      "project.yaml already has `attributes`: replace its lines with these, or add those that are missing\n",
    )
  host.stdout.write(attributesText(used))
  if (errors.length === 0) return 0
  host.stderr.write(`${formatCounts(errors)}: some rules may be missing\n`)
  return 1
}
