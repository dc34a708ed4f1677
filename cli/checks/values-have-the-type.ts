import type { Edit } from "../diagnostics/diagnostic.ts"
import type { Flag } from "../language/flag.ts"
import { type FlagType, flagTypes } from "../language/flag-types.ts"
import { type MappingNode, type Member, memberOf, type Node } from "../language/tree.ts"
import { flagMembers } from "../reading/grammar/schema.ts"
import { oneDefault } from "../reading/hints/other-tools.ts"
import { describe, misreadingOf, quoting, unquoting } from "../reading/hints/quote.ts"
import { isReplaced } from "../reading/hints/unknown-field.ts"
import type { Project } from "../reading/project.ts"
import { returnValuesIn } from "../reading/split.ts"
import type { Check } from "./check.ts"

/** `defaultValue` and every `returnValue` have the flag's type; text that YAML readers could misread is quoted. */
export const valuesHaveTheType: Check = (flag, project, report) => {
  const { source, root, defaultNode } = flag
  if (isTypeMisspelt(root)) return
  const meant = typeLeftOut(flag, project)
  const type = meant ?? flag.type
  const check = (member: string, node: Node | undefined) => {
    if (node === undefined || type === undefined) return
    if (type === "string" && node.kind === "scalar" && node.value !== null) {
      const misreading = misreadingOf(node, source)
      if (misreading === undefined) return
      const { advice, fix } = quoting(node, source)
      const message = `\`${member}\` must be text because the flag's type is string, but ${misreading}. ${advice}`
      report.add({ code: "unquoted-value", message, source, span: node, fix })
      return
    }
    if (hasType(node, type)) return
    const isWithoutType =
      node.kind === "scalar" && node.value === null && memberOf(root, "type") === undefined
    const unquoted = type === "boolean" || type === "number" ? unquoting(node, type) : ""
    const advice = isByEnvironment(node, project) ? ` ${oneDefault}` : isWithoutType ? otherTypes : unquoted
    report.add({
      code: "wrong-value-type",
      message: `\`${member}\` must be ${typeWords[type]} because the flag's type is ${type}; this is ${describe(node)}.${advice}`,
      source,
      span: node,
    })
  }
  if (meant === undefined || defaultNode === undefined) check("defaultValue", defaultNode)
  else
    report.add({
      code: "wrong-value-type",
      message: `A flag without \`type\` is boolean, but \`defaultValue\` is ${describe(defaultNode)}. Write \`type: ${meant}\` above it.`,
      source,
      span: defaultNode,
      fix: writingType(flag, meant),
    })
  for (const node of returnValuesIn(flag)) check("returnValue", node)
}

const otherTypes = " For text, a number or JSON, write `type` above it, such as `type: string`."

const typeWords: Readonly<Record<FlagType, string>> = {
  boolean: "true or false",
  string: "text",
  number: "a number",
  json: "a JSON value",
}

function hasType(node: Node, type: FlagType): boolean {
  return type === "json" || (node.kind === "scalar" && typeof node.value === type)
}

/** Whether another field stands for `type`, by its name or by its value. */
function isTypeMisspelt(root: MappingNode): boolean {
  if (memberOf(root, "type") !== undefined) return false
  const hasTypeOf = ({ name, value }: Member) =>
    !flagMembers.includes(name) && value.kind === "scalar" && flagTypes.some((type) => type === value.value)
  return isReplaced("type", { mapping: root, known: flagMembers }) || root.members.some(hasTypeOf)
}

/** Whether a value was meant as one value for each environment. */
function isByEnvironment(node: Node, { environments }: Project): boolean {
  const names = node.kind === "mapping" ? node.members.map(({ name }) => name) : []
  return names.length > 0 && names.every((name) => environments.some((known) => known.name === name))
}

/** The type of a flag's values, if it declares none and they cannot have been meant as booleans. */
function typeLeftOut(flag: Flag, project: Project): FlagType | undefined {
  const { root, defaultNode } = flag
  if (memberOf(root, "type") !== undefined || defaultNode === undefined) return undefined
  if (hasType(defaultNode, "boolean") || isByEnvironment(defaultNode, project)) return undefined
  const values = [defaultNode, ...returnValuesIn(flag)]
  if (values.some((node) => hasType(node, "boolean"))) return undefined
  if (values.every((node) => unquoting(node, "boolean") !== "")) return undefined
  if (defaultNode.kind !== "scalar") return "json"
  return flagTypes.find((type) => typeof defaultNode.value === type)
}

/** The edit that writes the type on a line of its own; `undefined` in flow style, or if a single value may be a slip. */
function writingType(flag: Flag, type: FlagType): Edit | undefined {
  const { root, source } = flag
  const start = memberOf(root, "defaultValue")?.nameSpan.start ?? 0
  const indentation = source.text.slice(source.text.lastIndexOf("\n", start - 1) + 1, start)
  if (!/^ *$/.test(indentation) || source.text.startsWith("{", root.start)) return undefined
  if (returnValuesIn(flag).length === 0) return undefined
  const lineBreak = source.text.includes("\r\n") ? "\r\n" : "\n"
  return { start, end: start, text: `type: ${type}${lineBreak}${indentation}` }
}
