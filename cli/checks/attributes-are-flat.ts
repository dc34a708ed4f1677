import type { Report } from "../diagnostics/diagnostic.ts"
import { quoted } from "../diagnostics/suggest.ts"
import { attributeOf } from "../language/condition.ts"
import type { Flag, Segment } from "../language/flag.ts"
import { attributeUses } from "../reading/conditions-in-file.ts"
import type { Project } from "../reading/project.ts"

/**
 * An attribute's name is not a path: no evaluator looks up `user.address.country` in nested objects. Reported once per
 * file, except for names that the project file lists.
 */
export function attributesAreFlat(
  file: Flag | Segment,
  { attributes }: Pick<Project, "attributes">,
  report: Report,
): void {
  for (const { condition } of attributeUses(file)) {
    const [attribute, span] = [attributeOf(condition), condition.at?.attribute]
    if (span === undefined || !/[^.]\.[^.]/.test(attribute) || attributes?.has(attribute)) continue
    const flat = attribute.split(".").at(-1) ?? ""
    report.add({
      code: "dotted-attribute",
      message: `${quoted(attribute)} is a single name, not a path into an object. Send a flat attribute, such as ${quoted(flat)}, or add the name to \`attributes\` in project.yaml.`,
      source: file.source,
      span,
    })
    return
  }
}
