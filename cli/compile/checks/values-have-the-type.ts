import type { FlagType } from "../grammar/flag-types.ts"
import { describe, misreadingOf, quoting, unquoting } from "../hints/quote.ts"
import type { Node } from "../yaml/tree.ts"
import type { Check } from "./check.ts"

/** `defaultValue` and every `returnValue` have the flag's type; text that YAML readers could misread is quoted. */
export const valuesHaveTheType: Check = (
  { source, type, defaultValue, configurations },
  _project,
  report,
) => {
  const check = (member: string, node: Node | undefined) => {
    if (node === undefined || type === undefined) return
    if (type === "string" && node.kind === "scalar" && node.value !== null) {
      const misreading = misreadingOf(node, source)
      if (misreading === undefined) return
      const { advice, fix } = quoting(node, source)
      const message = `\`${member}\` must be text, as the flag's type is string, but ${misreading} here. ${advice}`
      report.add({ code: "unquoted-value", message, source, span: node, fix })
      return
    }
    if (hasType(node, type)) return
    const advice = type === "boolean" || type === "number" ? unquoting(node, type) : ""
    report.add({
      code: "wrong-value-type",
      message: `\`${member}\` must be ${typeWords[type]}, as the flag's type is ${type}; this is ${describe(node)}.${advice}`,
      source,
      span: node,
    })
  }
  check("defaultValue", defaultValue)
  for (const { rules } of configurations) for (const rule of rules) check("returnValue", rule.returnValue)
}

const typeWords: Readonly<Record<FlagType, string>> = {
  boolean: "true or false",
  string: "text",
  number: "a number",
  json: "a JSON value",
}

function hasType(node: Node, type: FlagType): boolean {
  return type === "json" || (node.kind === "scalar" && typeof node.value === type)
}
