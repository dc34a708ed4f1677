import { appendFileSync } from "node:fs"
import { join } from "node:path"
import { readIfThere } from "../files/read-if-there.ts"
import { codeSpan } from "../phrases/markdown.ts"

/** What the section says. */
export interface AgentsSection {
  /** The flags folder, relative to that of AGENTS.md. */
  readonly flags: string
  /** Starts Flagstone. */
  readonly command: string
  /** Options that name the flags folder to it; empty if they are not needed. */
  readonly options: string
}

/**
 * Adds a section for coding agents to AGENTS.md in `folder`. Resolves to the file's path, or to undefined if it has a section
 * on feature flags already.
 */
export async function instructAgents(folder: string, section: AgentsSection): Promise<string | undefined> {
  const path = join(folder, "AGENTS.md")
  const text = (await readIfThere(path))?.toString("utf8") ?? ""
  if (/^##\s+feature flags\b/im.test(text)) return undefined
  const separator = text === "" ? "" : text.endsWith("\n") ? "\n" : "\n\n"
  appendFileSync(path, separator + agentsText(section))
  return path
}

const agentsText = ({ flags, command, options }: AgentsSection) => `## Feature flags

The flags are the files in ${codeSpan(`${flags}/`)}. \`node_modules/flagstone/skills/flagstone/SKILL.md\`, if it is there, says how to work with them.

- Change them with ${codeSpan(`${command} set${options}`)} or ${codeSpan(`${command} promote${options}`)} where these can, and by
  hand otherwise. Then run ${codeSpan(`${command} lint${options}`)} and ${codeSpan(`${command} test${options}`)}, and read
  ${codeSpan(`${command} diff HEAD${options}`)}.
- Ask before you publish, create or revoke keys, accept warnings, or change \`project.yaml\`.
`
