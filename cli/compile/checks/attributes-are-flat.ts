import type { Report } from "../../diagnostics/diagnostic.ts"
import { quoted } from "../../diagnostics/suggest.ts"
import type { DefinedSegment, Definition } from "../definition/definition.ts"
import { eachComparison } from "../definition/each-condition.ts"
import type { Project } from "../definition/project.ts"

/**
 * An attribute's name is not a path: no evaluator looks up `user.address.country` in nested objects. Reported once per
 * file, except for names that the project file lists.
 */
export function attributesAreFlat(
  file: Definition | DefinedSegment,
  { attributes }: Pick<Project, "attributes">,
  report: Report,
): void {
  let isReported = false
  eachComparison(file, ({ attribute }) => {
    if (isReported || attribute === undefined || !/[^.]\.[^.]/.test(attribute.text)) return
    if (attributes?.has(attribute.text)) return
    isReported = true
    const flat = attribute.text.split(".").at(-1) ?? ""
    report.add({
      code: "dotted-attribute",
      message: `${quoted(attribute.text)} is a single name, not a path into an object. Send a flat attribute, such as ${quoted(flat)}, or add the name to \`attributes\` in project.yaml.`,
      source: file.source,
      span: attribute.span,
    })
  })
}
