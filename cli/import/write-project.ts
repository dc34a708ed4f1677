import type { DefinedSegment, Definition } from "../compile/definition/definition.ts"
import { projectNamePattern } from "../compile/grammar/names.ts"
import { usedAttributes } from "../compile/meaning/used-attributes.ts"
import { yamlLine } from "../edit/yaml-line.ts"

/** The project file of an import into an empty folder. */
export function projectText(
  name: string,
  environments: readonly string[],
  definitions: readonly Definition[],
  segments: readonly DefinedSegment[],
): string {
  const attributes = usedAttributes(definitions, new Map(segments.map((one) => [one.name, one]))).map(
    ({ name, type }) => `  ${yamlLine(name)}: ${type === undefined ? "{}" : `{ type: ${type} }`}\n`,
  )
  return [
    `project: ${yamlLine(projectNamePattern.test(name) ? name : "my-project")}\n`,
    `# In the order in which a change goes through them.\nenvironments: ${yamlLine([...environments])}\n`,
    attributes.length === 0 ? "" : `attributes:\n${attributes.join("")}`,
  ].join("")
}
