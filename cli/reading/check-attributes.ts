import type { Report } from "../diagnostics/diagnostic.ts"
import { quoted } from "../diagnostics/suggest.ts"
import { attributeTypes } from "../language/operators.ts"
import { type Member, memberOf, type ParsedFile, writtenText } from "../language/tree.ts"
import { formMissed } from "./grammar/attribute-form.ts"

/** Checks that the `values` of each attribute in a project file have its type, and that the clock is a moment. */
export function checkAttributes({ source, root }: ParsedFile, report: Report): void {
  if (root.kind !== "mapping") return
  const attributes = memberOf(root, "attributes")?.value
  const clock = writtenText(memberOf(root, "clock")?.value)?.text
  const check = ({ name, value: attribute }: Member) => {
    if (attribute.kind !== "mapping") return
    const written = writtenText(memberOf(attribute, "type")?.value)
    const type = attributeTypes.find((name) => name === written?.text)
    if (name === clock && written !== undefined && type !== "moment") {
      const message = `${quoted(name)} is the project's clock, so its type is \`moment\`.`
      report.add({ code: "wrong-value-type", message, source, span: written.span })
    }
    const values = memberOf(attribute, "values")?.value
    for (const node of values?.kind === "sequence" ? values.items : []) {
      const text = writtenText(node)?.text
      const form = text === undefined || type === undefined ? undefined : formMissed(type, text)
      if (form === undefined) continue
      const message = `A value of ${quoted(name)} ${form}, because its type is \`${type}\`.`
      report.add({ code: "wrong-value-type", message, source, span: node })
    }
  }
  if (attributes?.kind === "mapping") attributes.members.forEach(check)
}
