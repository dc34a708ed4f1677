import type { Json } from "../../../sdk/contract/snapshot.ts"
import { groupKinds, isGroupKind } from "../../../sdk/evaluation/condition.ts"
import type { Edit, SourceFile } from "../../diagnostics/diagnostic.ts"
import { didYouMean, list, onlySuggestion, quoted, suggest } from "../../diagnostics/suggest.ts"
import { yamlLine } from "../../diagnostics/yaml-line.ts"
import { operators, operatorThatAsks } from "../../language/operators.ts"
import { presenceTwin } from "../../language/related-operators.ts"
import { type MappingNode, type Member, memberOf, type Node, toValue } from "../../language/tree.ts"
import { isInvariantsPath, keyOfFile } from "../files/file-names.ts"
import { conditionForms, conditionMembers } from "../grammar/schema.ts"
import { advice, type Level, named, type Translation, translate } from "./other-tools.ts"
import { renaming } from "./quote.ts"

/** A mapping with an unknown member, and the members that it may have. */
export interface Surroundings {
  readonly mapping: MappingNode
  /** The names of its members. */
  readonly known: readonly string[]
  /** The project's environments, if `environments` is one of its members. */
  readonly environments?: readonly string[]
  /** The file's path. */
  readonly path?: string
}

/** What an unknown member means: a sentence, and the members that it replaces, so they are not missing. */
export interface MemberMeaning {
  readonly message: string
  readonly replaces: readonly string[]
  /** Members with the same subject are one mistake: the first of them is reported. */
  readonly subject: string
  readonly fix?: Edit | undefined
}

/** The message about an unknown member of a mapping. */
export function explainMember(member: Member, around: Surroundings, source: SourceFile): MemberMeaning {
  const { name } = member
  const unknown = `Unknown field ${quoted(name)}`
  const meant = meaningOf(member, around)
  if (meant === undefined)
    return { message: `${unknown}. Known: ${list(around.known, 12)}.`, replaces: [], subject: name }
  if (meant.kind === "advice")
    return { message: `${unknown}. ${meant.advice}`, replaces: meant.replaces, subject: meant.advice }
  const isCertain = onlySuggestion(name, freeOf(around)) === meant.name && !isShort.has(meant.name)
  return {
    message: `${unknown}${didYouMean(name, [], meant.name)}`,
    replaces: [meant.name],
    subject: name,
    fix: isCertain ? renaming(member.nameSpan, meant.name, source) : undefined,
  }
}

/** Whether a mapping lacks a member only because another of its members replaces it. */
export function isReplaced(name: string, around: Surroundings): boolean {
  if (memberOf(around.mapping, name) !== undefined) return false
  return around.mapping.members.some((member) => {
    if (around.known.includes(member.name)) return false
    const meant = meaningOf(member, around)
    return meant?.kind === "name" ? meant.name === name : meant?.replaces.includes(name) === true
  })
}

/** Whether an empty member's contents are next to it, in the same mapping, instead of below it. */
export function hasValueBeside(name: string, { mapping, environments = [] }: Surroundings): boolean {
  const names = name === "environments" ? environments : (ofListItems.get(name) ?? [])
  return mapping.members.some((member) => names.includes(member.name))
}

const ruleForms = ["attribute", "operator", "split", ...conditionForms]

/** Members whose names show that they belong in an item of a list, when it is empty next to them. */
const ofListItems = new Map<string, readonly string[]>([
  ["rules", ruleForms],
  ...groupKinds.map((kind) => [kind, ["attribute", "operator", "value", "segment"]] as const),
])

/**
 * Whether a member that a rule or a condition lacks is in the mapping around its list: in the configuration, or next to
 * `all`.
 */
export function isStrayed(name: string, around: MappingNode): boolean {
  return ofRule.has(name) && memberOf(around, name) !== undefined
}

const ofRule: ReadonlySet<string> = new Set(["attribute", "operator", "value", "returnValue"])

/** Whether a rule's value is in one of its conditions, where it is reported. */
export function isInCondition(name: string, rule: Node): boolean {
  if (name !== "returnValue" || rule.kind !== "mapping") return false
  return groupKinds.some((kind) => {
    const list = memberOf(rule, kind)?.value
    return list?.kind === "sequence" && list.items.some((item) => hasMember(item, name))
  })
}

function hasMember(node: Node, name: string): boolean {
  return (node.kind === "mapping" && memberOf(node, name) !== undefined) || isInCondition(name, node)
}

/** Names that too many short words resemble for a fix to be certain. */
const isShort: ReadonlySet<string> = new Set(groupKinds)

function meaningOf(member: Member, around: Surroundings): Translation | undefined {
  const { name, value } = member
  const { mapping, known, path = "" } = around
  const level = levelOf(known)
  const misplaced = level === "flag" ? misplacedInFlag(member, around) : undefined
  if (misplaced !== undefined) return misplaced
  const free = freeOf(around)
  const isInvariant = isInvariantsPath(path)
  const isCondition = level === "rule" || level === "segment" || level === "condition"
  if (
    isCondition &&
    memberOf(mapping, "flag") !== undefined &&
    (valuesOfFlag.test(name) || (isInvariant && name === "returnValue")) &&
    free.includes("is")
  )
    return named("is")
  if (isInvariant && level === "condition" && (name === "split" || name === "returnValue"))
    return advice(saysWhatFlagsGive, "attribute", "operator", "value")
  const translation = level && translate(level, isDefaultOf(level, member, mapping) ? "defaultValue" : name)
  if (level === "split" && translation === undefined) {
    const written = splitMeant(member, mapping)
    if (written !== undefined) return advice(`Write ${written}.`, "by", "into")
  }
  if (translation?.kind === "name" && isGroupKind(translation.name) && value.kind === "mapping")
    return advice(
      `Write \`${translation.name}\` with a list of conditions, each after \`- \`.`,
      translation.name,
    )
  if (translation?.kind === "advice" || (translation && free.includes(translation.name))) return translation
  if (isCondition && operators.has(name)) return operatorAsMember(name, value)
  const similar = suggest(name, free)
  if (similar !== undefined) return named(similar)
  const isAlone = ruleForms.every((form) => memberOf(mapping, form) === undefined)
  if (!isCondition || !isAlone || value.kind === "mapping" || isEmpty(value)) return undefined
  const operator = operatorThatAsks({ kind: "texts", isList: value.kind === "sequence" })
  const condition = `\`attribute: ${yamlLine(name)}\`, \`operator: ${operator}\``
  return comparisonBy(condition, value, "attribute", "operator", "value")
}

/** What a member means that a flag's file has in the place of another, or because it is a file of another kind. */
function misplacedInFlag(
  { name, value }: Member,
  { mapping, environments = [], path = "" }: Surroundings,
): Translation | undefined {
  if (environments.includes(name)) return advice("It is an environment: indent it under `environments`.")
  if (isFlag(mapping)) return undefined
  const instead = (text: string) => advice(text, "defaultValue")
  const tool = toolOfExport(mapping)
  if (tool !== undefined)
    return instead(
      `This looks like a file of another tool. Move it out of the flags folder, and let \`flagstone import ${tool}\` turn it into flags.`,
    )
  if (memberOf(mapping, "cases")?.value.kind === "sequence") return instead(specNamed(path))
  if (value.kind === "mapping" && isFlag(value)) return instead(notNested)
  if (!ofSegment.has(name) && !isInSegments(path)) return undefined
  const form = translate("segment", name)
  const file = quoted(`${keyOfFile(path).replace(/\.segments?$/i, "")}.segment.yaml`)
  return instead(
    `This file is a condition, so it is a segment: name it ${file}. ${form?.kind === "advice" ? form.advice : "A flag has a `defaultValue`, and its conditions are in rules."}`,
  )
}

const saysWhatFlagsGive =
  "An invariant gives no values. Write what a flag gives as a condition, such as `flag: checkout-button` with `is: green`."

/** Whether a value in a configuration is meant for the environment: a misplaced rule has an attribute or an operator, too. */
function isDefaultOf(level: Level, { name }: Member, mapping: MappingNode): boolean {
  const isValue = level === "configuration" && /^(value|returnValue)$/.test(name)
  return isValue && ["attribute", "operator"].every((field) => memberOf(mapping, field) === undefined)
}

/**
 * The split that `{ userId: { a: 50, b: 50 } }` or `{ a: 50, b: 50 }` stands for, in backticks; `undefined` if a share is no
 * number.
 */
function splitMeant({ name, value }: Member, mapping: MappingNode): string | undefined {
  const [by, shares] = value.kind === "mapping" ? [name, value.members] : ["userId", mapping.members]
  const into = armsMeant(shares)
  const text = into === undefined ? "" : yamlLine({ by, into })
  return text === "" || text.length > longestSplit ? undefined : `\`split: ${text}\``
}

/** The arms that `{ a: 50, b: 50 }` stands for; `undefined` if a share is no number. */
export function armsMeant(members: readonly Member[]): readonly Json[] | undefined {
  const arms = members.map(({ name, value }) => ({ share: toValue(value), returnValue: name }))
  return arms.length > 0 && arms.every(({ share }) => typeof share === "number") ? arms : undefined
}

/** The longest split that a message writes out, in characters. */
export const longestSplit = 200

/** Other tools' names for the value of another flag. */
const valuesOfFlag = /^(equals|enabled|on|state|variation|gives)$/

function isEmpty(node: Node): boolean {
  return node.kind === "scalar" && node.value === null
}

function operatorAsMember(name: string, value: Node): Translation | undefined {
  if (operators.get(name)?.operand !== "nothing")
    return comparisonBy(`\`operator: ${name}\``, value, "operator", "value")
  const operator = String(toValue(value)) === "false" ? presenceTwin(name) : name
  return operator === undefined ? undefined : advice(`Write \`operator: ${operator}\`.`, "operator")
}

/** Advice to write a comparison, for a value whose name is not a member. */
function comparisonBy(condition: string, value: Node, ...replaces: readonly string[]): Translation {
  const text = toValue(value)
  const texts = Array.isArray(text) ? text.map(String) : String(text)
  return advice(`Write ${condition} and ${quoted(`value: ${yamlLine(texts)}`)}.`, ...replaces)
}

function specNamed(path: string): string {
  const name = keyOfFile(path).replace(/\.(tests?|specs?)$/i, "")
  return `This file has cases, so it is a spec: name it ${quoted(`${name}.spec.yaml`)}.`
}

/** Fields that only a condition has, with other tools' names for its list. */
const ofSegment: ReadonlySet<string> = new Set([...conditionMembers, "conditions", "clauses", "constraints"])

/** Whether a file is in a folder called `segments`. */
function isInSegments(path: string): boolean {
  return /[\\/]segments?[\\/][^\\/]*$/.test(path)
}

const notNested =
  "A flag's fields are at the top level of its file, whose name is the key. Remove this line and the indentation below it."

/** Whether a mapping has a member that only a flag has. */
export function isFlag(mapping: MappingNode): boolean {
  return ["defaultValue", "environments"].some((name) => memberOf(mapping, name) !== undefined)
}

function levelOf(known: readonly string[]): Level | undefined {
  if (known.includes("defaultValue")) return "flag"
  if (known.includes("enabled")) return "configuration"
  if (known.includes("into")) return "split"
  if (known.includes("to")) return "range"
  if (known.includes("operator"))
    return known.includes("returnValue") ? "rule" : known.includes("owner") ? "segment" : "condition"
  if (known.includes("share")) return "share"
  if (known.includes("url")) return "link"
  if (known.includes("exceptTagged")) return "requirement"
  return known.includes("project") ? "project" : undefined
}

/** The known members that a mapping does not have: an unknown one can only be a misspelling of one of these. */
function freeOf({ mapping, known }: Surroundings): readonly string[] {
  return known.filter((name) => memberOf(mapping, name) === undefined)
}

/** The tool whose file with all its flags a mapping is, by the word that `import` has for it; `undefined` if it is none of these. */
function toolOfExport(mapping: MappingNode): string | undefined {
  const of = (name: string) => memberOf(mapping, name)?.value
  const flags = of("flags")
  if (of("features")?.kind === "sequence") return "unleash"
  if (flags?.kind === "sequence") return "flipt"
  if (of("items")?.kind === "sequence" || anyHas(flags, "fallthrough") || anyHas(flags, "environments"))
    return "launchdarkly"
  if (anyHas(flags, "variants") || anyHas(mapping, "flagSpec")) return "flagd"
  return anyHas(mapping, "variations") && anyHas(mapping, "defaultRule") ? "goff" : undefined
}

/** Whether a member of a mapping is a mapping with a member of this name. */
function anyHas(node: Node | undefined, name: string): boolean {
  if (node?.kind !== "mapping") return false
  return node.members.some(({ value }) => value.kind === "mapping" && memberOf(value, name) !== undefined)
}
