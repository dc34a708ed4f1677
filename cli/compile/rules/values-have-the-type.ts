import type { Source } from "../../diagnostics/diagnostic.ts"
import type { FlagType } from "../definition.ts"
import { describe } from "../shape.ts"
import type { Node } from "../tree.ts"
import type { Law } from "./law.ts"

/** `defaultValue` and every `returnValue` are of the flag's type. */
export const valuesHaveTheType: Law = (definitions, _project, report) => {
  for (const { source, type, defaultValue, configurations } of definitions) {
    const check = (member: string, node: Node | undefined) => {
      if (node === undefined || type === undefined || hasType(node, type)) return
      report.add({
        code: "wrong-value-type",
        message: `\`${member}\` must be ${typeWords[type]}, as the flag's type is ${type}; this is ${describe(node)}.${mend(node, type, source)}`,
        source,
        span: node,
      })
    }
    check("defaultValue", defaultValue)
    for (const { rules } of configurations) for (const rule of rules) check("returnValue", rule.returnValue)
  }
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

function mend(node: Node, type: FlagType, source: Source): string {
  if (node.kind !== "scalar") return ""
  if (type === "string" && node.plain && node.value !== null) {
    return ` Quote it: "${source.text.slice(node.start, node.end)}".`
  }
  const meant =
    typeof node.value === "string" && !node.plain && (node.value === "true" || node.value === "false")
  return type === "boolean" && meant ? " Remove the quotes." : ""
}
