import type { Report } from "../diagnostics/diagnostic.ts"
import { quoted } from "../diagnostics/suggest.ts"
import type { Operand } from "../language/operators.ts"
import { type Member, memberOf, type Node, type ParsedFile, writtenText } from "../language/tree.ts"
import { isReadable, operandForms } from "./grammar/operand.ts"

/** Checks that the `values` of each attribute in a project file have its type, and that the clock is a moment. */
export function checkAttributes({ source, root }: ParsedFile, report: Report): void {
  if (root.kind !== "mapping") return
  const attributes = memberOf(root, "attributes")?.value
  const clock = writtenText(memberOf(root, "clock")?.value)?.text
  const check = ({ name, value: attribute }: Member) => {
    if (attribute.kind !== "mapping") return
    const written = writtenText(memberOf(attribute, "type")?.value)
    const type = written?.text ?? ""
    if (name === clock && written !== undefined && type !== "moment") {
      const message = `${quoted(name)} is the project's clock, so its type is \`moment\`.`
      report.add({ code: "wrong-value-type", message, source, span: written.span })
    }
    const values = memberOf(attribute, "values")?.value
    for (const node of values?.kind === "sequence" ? values.items : []) {
      const form = formMissed(type, node)
      if (form === undefined) continue
      const message = `A value of ${quoted(name)} ${form}, because its type is \`${type}\`.`
      report.add({ code: "wrong-value-type", message, source, span: node })
    }
  }
  if (attributes?.kind === "mapping") attributes.members.forEach(check)
}

const operandsOfTypes: ReadonlyMap<string, Operand> = new Map([
  ["number", "number"],
  ["version", "version"],
  ["moment", "date"],
])

/** The form that an attribute's type requires of its value if that is text; `undefined` if the value has it. */
function formMissed(type: string, node: Node): string | undefined {
  const text = writtenText(node)?.text
  if (text === undefined) return undefined
  if (type === "boolean") return /^(true|false)$/.test(text) ? undefined : 'must be "true" or "false"'
  const operand = operandsOfTypes.get(type)
  return operand === undefined || isReadable(operand, text) ? undefined : operandForms[operand]
}
