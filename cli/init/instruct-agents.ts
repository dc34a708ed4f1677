import { appendFileSync } from "node:fs"
import { join } from "node:path"
import { readIfThere } from "../files/read-if-there.ts"
import { codeSpan } from "../phrases/markdown.ts"

const heading = "## Feature flags"

/**
 * Adds to AGENTS.md in `folder` how coding agents change the flags, whose path from there is `flags`. `command` starts
 * Flagstone. Resolves to the file's path, or to undefined if it has a section on feature flags already.
 */
export async function instructAgents(
  folder: string,
  flags: string,
  command: string,
): Promise<string | undefined> {
  const path = join(folder, "AGENTS.md")
  const text = (await readIfThere(path))?.toString("utf8") ?? ""
  if (text.split(/\r?\n/).includes(heading)) return undefined
  const separator = text === "" ? "" : text.endsWith("\n") ? "\n" : "\n\n"
  appendFileSync(path, separator + agentsText(flags, command))
  return path
}

const agentsText = (flags: string, command: string) => `${heading}

The flags are the files in ${codeSpan(`${flags}/`)}. \`node_modules/flagstone/skills/flagstone/SKILL.md\`, if it is there, says how to work with them.

- Change them with \`${command} set\` or \`${command} promote\` where these can, and by hand otherwise. Then run \`${command} lint\` and
  \`${command} test\`, and read \`${command} diff HEAD\`.
- Ask before you publish, create or revoke keys, accept warnings, or change \`project.yaml\`.
`
