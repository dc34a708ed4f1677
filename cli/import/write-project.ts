import { projectNamePattern } from "../compile/grammar/names.ts"
import type { UsedAttribute } from "../compile/meaning/used-attributes.ts"
import { yamlLine } from "../edit/yaml-line.ts"

/** The project file of an import into an empty folder. */
export function projectText(
  name: string,
  environments: readonly string[],
  attributes: readonly UsedAttribute[],
): string {
  const lines = attributes.map(
    ({ name, type }) => `  ${yamlLine(name)}: ${type === undefined ? "{}" : `{ type: ${type} }`}\n`,
  )
  return [
    `project: ${yamlLine(projectNamePattern.test(name) ? name : "my-project")}\n`,
    `# In the order in which a change goes through them.\nenvironments: ${yamlLine([...environments])}\n`,
    lines.length === 0 ? "" : `attributes:\n${lines.join("")}`,
  ].join("")
}
