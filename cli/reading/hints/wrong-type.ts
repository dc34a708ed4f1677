import type { Json } from "../../../sdk/contract/snapshot.ts"
import type { Finding, SourceFile } from "../../diagnostics/diagnostic.ts"
import { quoted } from "../../diagnostics/suggest.ts"
import { yamlLine } from "../../diagnostics/yaml-line.ts"
import { always } from "../../language/condition.ts"
import { attributeTypes } from "../../language/operators.ts"
import type { Node } from "../../language/tree.ts"
import { badExpiry } from "./expiry.ts"
import { unixMoment } from "./operand-fault.ts"
import { describe, misreadingOf, quoting, unquoting, writtenAs } from "./quote.ts"
import { synonymOf } from "./synonyms.ts"
import { armsMeant, longestSplit } from "./unknown-field.ts"

/** A value whose type is not the schema's. */
interface WrongType {
  /** The member's name; `undefined` for the file as a whole. */
  readonly name: string | undefined
  /** What must have the type, as the start of a sentence. */
  readonly subject: string
  readonly type: string
  readonly node: Node
  /** A value of the right type; `undefined` if the schema gives none. */
  readonly example: Json | undefined
}

/** The message about a value of the wrong type, with the fix if it is certain. */
export function explainType({ name, subject, type, node, example }: WrongType, source: SourceFile): Finding {
  const finding = { code: "wrong-type", source, span: node } as const
  if (name === "expires" && node.kind === "scalar" && node.value !== null) return badExpiry(node, source)
  if (name === "schema") {
    const message = `${subject} must be a JSON Schema, or the path of a file with it, such as \`limits.json\`.`
    return { ...finding, message }
  }
  const moment = name === "at" && node.kind === "scalar" ? unixMoment(writtenAs(node, source)) : undefined
  if (moment !== undefined)
    return { ...finding, message: `${subject} must be a moment (RFC 3339). Write \`${moment}\`.` }
  const misreading = node.kind === "scalar" ? misreadingOf(node, source) : undefined
  if (type === "string" && node.kind === "scalar" && misreading !== undefined) {
    const { advice, fix } = quoting(node, source)
    return { ...finding, message: `${subject} must be text, but ${misreading}. ${advice}`, fix }
  }
  const isEmpty = node.kind === "scalar" && node.value === null && name !== undefined
  const advice = adviceOf({ name, subject, type, node, example })
  const wanted = `must be ${typeWords[type] ?? type}`
  const message = isEmpty
    ? `${subject} is empty, and ${wanted}.${advice}`
    : `${subject} ${wanted}, not ${describe(node)}.${advice}`
  return { ...finding, message }
}

function adviceOf({ name, type, node, example }: WrongType): string {
  if (type === "boolean" || type === "number") return unquoting(node, type)
  const own = type === "array" ? asList(node, name, example) : undefined
  if (own !== undefined) return own
  if (node.kind === "sequence" && (name === "never" || name === "if" || name === "then"))
    return ` Write the list under \`any\` (at least one must match) or \`all\` (every one must): \`${name}: { any: [ … ] }\`.`
  if (name === "rules" && type === "array" && node.kind === "scalar")
    return " Write `[]` for no rules, or each rule below it as an item that begins with `- `."
  if (node.kind === "sequence" && name === "split")
    return " Write the list under `into`: `split: { by: userId, into: [ … ] }`."
  const first = type === "string" && node.kind === "sequence" ? node.items[0] : undefined
  if (first?.kind === "scalar" && typeof first.value === "string")
    return ` Write one text, such as ${quoted(first.value)}.`
  const attribute = attributeMeant(node, example)
  if (attribute !== undefined) return ` Write it like \`${yamlLine({ type: attribute })}\`.`
  const configuration = configurationMeant(node, example)
  if (configuration !== undefined) return ` Write it like \`${yamlLine(configuration)}\`.`
  const isOfType = Array.isArray(example) ? type === "array" : type === typeof example
  const shown = example !== undefined && isOfType && type !== "string" ? yamlLine(example) : ""
  return shown === "" || shown.length > longestExample ? "" : ` Write it like \`${shown}\`.`
}

/** The type that an attribute's text means, where the project file wants `{ type: text }`. */
function attributeMeant(node: Node, example: Json | undefined): string | undefined {
  const isAttribute = typeof example === "object" && example !== null && "type" in example
  if (!isAttribute || node.kind !== "scalar") return undefined
  const word = String(node.value).toLowerCase()
  return attributeTypes.find((type) => type === word) ?? synonymOf(word, attributeTypes)
}

/** The configuration that `true` or `false` in its place means. */
function configurationMeant(node: Node, example: Json | undefined): Json | undefined {
  const isConfiguration = typeof example === "object" && example !== null && "enabled" in example
  if (!isConfiguration || node.kind !== "scalar" || typeof node.value !== "boolean") return undefined
  const rules = [{ operator: always.operator, returnValue: true }]
  return node.value ? { enabled: true, rules } : { enabled: false }
}

/** The list that was probably meant; `undefined` if that is not certain. */
function asList(node: Node, name: string | undefined, example: Json | undefined): string | undefined {
  const likeThis = (texts: readonly string[]) => ` Write it like \`${yamlLine(texts)}\`.`
  if (node.kind === "mapping" && name === "environments")
    return likeThis(node.members.map((member) => member.name))
  const arms = node.kind === "mapping" && name === "into" ? armsMeant(node.members) : undefined
  const into = arms === undefined ? "" : yamlLine(arms)
  if (into !== "" && into.length <= longestSplit) return ` Write \`into: ${into}\`.`
  if (node.kind === "mapping" && name !== "links") return " Begin each item with `- `."
  const holdsTexts = Array.isArray(example) && typeof example[0] === "string"
  if (!holdsTexts || node.kind !== "scalar" || typeof node.value !== "string") return undefined
  if (node.value === "" || node.value.length > longestExample) return undefined
  return likeThis(itemsMeant(node.value))
}

/** The items of a text that was meant as a list: those of `a, b`. An address may contain commas. */
function itemsMeant(text: string): readonly string[] {
  if (text.includes("://")) return [text]
  const parts = text.split(/\s*,\s*/).filter((part) => part !== "")
  return parts.length === 0 ? [text] : parts
}

const longestExample = 60

const typeWords: Readonly<Record<string, string>> = {
  object: "a mapping",
  array: "a list",
  string: "text",
  boolean: "true or false",
  number: "a number",
}
