import { type GroupKind, isGroupKind } from "../../sdk/evaluation/condition.ts"
import type { Code } from "../diagnostics/codes.ts"
import type { Finding, Report, SourceFile, Span } from "../diagnostics/diagnostic.ts"
import { didYouMean, list, quoted, suggest } from "../diagnostics/suggest.ts"
import { yamlLine } from "../diagnostics/yaml-line.ts"
import { isText } from "../language/condition.ts"
import { patternWords, staleAfterPattern } from "../language/names.ts"
import {
  type MappingNode,
  type Member,
  memberOf,
  type Node,
  type ParsedFile,
  toValue,
} from "../language/tree.ts"
import { fieldsOf } from "../language/written-condition.ts"
import { type Deviation, deviationsIn, type Place, type Schema } from "./deviations.ts"
import { environmentAdvice, environmentsAsMapping, ofConfiguration } from "./hints/environments.ts"
import { explainOperator } from "./hints/operators.ts"
import { describe } from "./hints/quote.ts"
import { synonymOf } from "./hints/synonyms.ts"
import {
  explainMember,
  hasValueBeside,
  isInCondition,
  isReplaced,
  isStrayed,
  type Surroundings,
} from "./hints/unknown-field.ts"
import { explainType } from "./hints/wrong-type.ts"
import { refuseStrayCommas } from "./refuse-stray-commas.ts"
import { refuseStrayDashes } from "./refuse-stray-dashes.ts"

/**
 * Reports every deviation of a file from a schema at its place. Returns whether the file's meaning can be checked further.
 */
export function checkShape({ root, source }: ParsedFile, schema: object, report: Report): boolean {
  const deviations = deviationsIn(root, schema)
  if (deviations.length === 0) return true
  if (refuseStrayCommas(root, source, report)) return false
  if (refuseStrayDashes(root, source, report)) return false
  const isNew = createIsNew()
  const environments = environmentsIn(schema)
  for (const deviation of deviations) {
    const finding = findingOf(deviation, environments, source, isNew)
    if (finding !== undefined) report.add({ ...finding, source })
  }
  return true
}

/** Whether something about a value is new: an aliased value has many places, and is reported once. */
type IsNew = (node: Node, what: string) => boolean

function createIsNew(): IsNew {
  const reported = new Set<string>()
  return ({ start, end }, what) => {
    const { size } = reported
    return reported.add(`${start}:${end}:${what}`).size > size
  }
}

type Found = Omit<Finding, "source">

/** `undefined` if the deviation follows from another, which is reported. */
function findingOf(
  deviation: Deviation,
  environments: readonly string[],
  source: SourceFile,
  isNew: IsNew,
): Found | undefined {
  const { kind, place } = deviation
  const { node, around } = place
  const named = namedIn(place)
  const at = (code: Code, message: string, span: Span = node): Found => ({ code, message, span })
  switch (kind) {
    case "missing":
      return missing(deviation, named, source, isNew)
    case "unknown":
      return unknown(deviation, environments, source, isNew)
    case "type":
      return isWrittenBeside(deviation) ? undefined : wrongType(deviation, named, source)
    case "value":
      return notAllowed(deviation.allowed, node, around?.node, named, source)
    case "form": {
      const { pattern } = deviation
      const form = patternWords.get(pattern) ?? `of the form \`${pattern}\``
      const code =
        named.name === "key" ? "bad-key" : pattern === staleAfterPattern.source ? "wrong-type" : "bad-name"
      return at(code, `${named.subject} must be ${form}.`)
    }
    case "empty":
      if (node.kind === "sequence" && isGroup(named.name)) return at("wrong-type", needsCondition(named.name))
      return at("wrong-type", `${named.subject} must not be empty.`)
    case "long":
      return at("wrong-type", `${named.subject} may have at most ${deviation.most} characters.`)
  }
}

/** What a message calls a value. */
interface Named {
  /** Of its member, or of the one around its list; `undefined` for the file as a whole. */
  readonly name: string | undefined
  /** As the start of a sentence. */
  readonly subject: string
  readonly inList: boolean
}

function namedIn(place: Place): Named {
  let named: Place | undefined = place
  while (named !== undefined && named.member === undefined) named = named.around
  const name = named?.member?.name
  const inList = place.member === undefined && place.around !== undefined
  const quotedName = name === undefined ? undefined : `\`${name}\``
  return {
    name,
    inList,
    subject: inList ? `An item of ${quotedName ?? "the file"}` : (quotedName ?? "The file"),
  }
}

function missing(
  { place, name, schema }: Extract<Deviation, { kind: "missing" }>,
  { name: of, subject, inList }: Named,
  source: SourceFile,
  isNew: IsNew,
): Found | undefined {
  const { node, member, around } = place
  if (node.kind !== "mapping") return undefined
  // A misspelt required member is both unknown and missing; only the misspelling is reported.
  if (isReplaced(name, surroundingsOf(node, schema, source))) return undefined
  const configuration = around?.around?.node
  if (configuration?.kind === "mapping" && isStrayed(name, configuration)) return undefined
  if (isInCondition(name, node) || !isNew(node, `missing ${name}`)) return undefined
  const words = { isFile: of === undefined, isRule: inList && of === "rules" }
  return {
    code: "missing-field",
    message: lacking(subject, name, words),
    span: member?.nameSpan ?? firstName(node),
  }
}

function unknown(
  { place, mapping, member, schema }: Extract<Deviation, { kind: "unknown" }>,
  environments: readonly string[],
  source: SourceFile,
  isNew: IsNew,
): Found | undefined {
  const { name, nameSpan } = member
  if (place.member?.name === "environments") {
    if (ofConfiguration.includes(name) && !isNew(mapping, "of one environment")) return undefined
    return unknownEnvironment(member, mapping, schema)
  }
  if (isOfShare(name, mapping)) return undefined
  const environment = place.around?.member?.name === "environments" ? place.member?.name : undefined
  if (environment !== undefined && environment !== name && environments.includes(name)) {
    const message = `${quoted(name)} is an environment, but it is inside ${quoted(environment)}. Indent it as far as ${quoted(environment)}.`
    return { code: "unknown-field", message, span: nameSpan }
  }
  const { message, subject, fix } = explainMember(member, surroundingsOf(mapping, schema, source), source)
  return isNew(mapping, subject) ? { code: "unknown-field", message, span: nameSpan, fix } : undefined
}

function wrongType(
  { place: { node }, schema, type }: Extract<Deviation, { kind: "type" }>,
  { name, subject }: Named,
  source: SourceFile,
): Found {
  const at = (message: string): Found => ({ code: "wrong-type", message, span: node })
  if (isGroup(name) && node.kind === "scalar" && node.value === null) return at(needsCondition(name))
  if (name === "environments" && type === "object")
    return at(environmentsAsMapping(node, schema.properties ?? {}))
  return explainType({ name, subject, type, node, example: schema.examples?.[0] }, source)
}

/** Whether a value is empty because it was written next to its member instead of below it, which is reported there. */
function isWrittenBeside({ place: { node, member, around }, schema }: Deviation): boolean {
  const mapping = around?.node
  if (node.kind !== "scalar" || node.value !== null || mapping?.kind !== "mapping") return false
  const environments = Object.keys(schema.properties ?? {})
  if (hasValueBeside(member?.name ?? "", { mapping, known: [], environments })) return true
  const isEnvironment = around?.member?.name === "environments"
  return isEnvironment && ofConfiguration.some((name) => memberOf(mapping, name) !== undefined)
}

/** Where members are unknown or missing. */
function surroundingsOf(
  mapping: MappingNode,
  { properties = {} }: Schema,
  { path }: SourceFile,
): Surroundings {
  return { mapping, known: Object.keys(properties), environments: environmentsIn({ properties }), path }
}

/** The project's environments, if the schema is a flag file's. */
function environmentsIn({ properties = {} }: Schema): readonly string[] {
  return Object.keys(properties.environments?.properties ?? {})
}

/** Whether a member belongs inside a `share` or a `split` that is not a mapping. */
function isOfShare(name: string, mapping: MappingNode): boolean {
  return Object.entries(ofShares).some(([form, names]) => {
    const value = memberOf(mapping, form)?.value
    return value !== undefined && value.kind !== "mapping" && names.includes(name)
  })
}

const ofShares = { share: ["by", "to", "from", "seed"], split: ["by", "into", "seed"] }

/** Without a fix: renaming an environment could turn flags on where they are off. */
function unknownEnvironment(
  { name: unknown, nameSpan }: Member,
  mapping: MappingNode,
  schema: Schema,
): Found {
  const known = Object.keys(schema.properties ?? {})
  const tail = () => {
    const advice = environmentAdvice(unknown, known)
    if (advice !== undefined) return `. ${advice}`
    const free = known.filter((name) => memberOf(mapping, name) === undefined)
    return suggest(unknown, free) === undefined ? `. Known: ${list(known, 12)}.` : didYouMean(unknown, free)
  }
  const message = `Unknown environment ${quoted(unknown)}${tail()}`
  return { code: "unknown-environment", message, span: nameSpan }
}

/** A value that is not in a list of allowed ones. */
function notAllowed(
  allowed: readonly string[],
  node: Node,
  around: Node | undefined,
  { name, subject }: Named,
  source: SourceFile,
): Found {
  const value = toValue(node)
  const at = (code: Code, message: string): Found => ({ code, message, span: node })
  if (typeof value !== "string")
    return at("wrong-type", `${subject} must be one of ${list(allowed)}, not ${describe(node)}.`)
  if (name === "operator" && node.kind === "scalar") {
    const { tail, fix } = explainOperator(node, around, allowed, source)
    return { ...at("unknown-operator", `Unknown operator ${quoted(value)}${tail}`), fix }
  }
  if (name === "unless" || name === "gives")
    return at("wrong-type", `Write \`${name}: ${allowed[0]}\`, or leave \`${name}\` out.`)
  if (name === "require" || name === "field")
    return at("unknown-field", `\`require\` does not accept ${quoted(value)}${didYouMean(value, allowed)}`)
  const meant = didYouMean(value, allowed, synonymOf(value, allowed))
  return at("unknown-type", `Unknown ${name} ${quoted(value)}${meant}`)
}

/** The sentence about a field that is not there. */
function lacking(
  subject: string,
  field: string,
  { isFile, isRule }: { readonly isFile: boolean; readonly isRule: boolean },
): string {
  if (isFile) return `\`${field}\` is missing.`
  if (field === "by")
    return `${subject} needs \`by\`, the attribute that picks users, such as \`by: userId\`.`
  return isRule ? `This rule has no \`${field}\`.` : `${subject} needs \`${field}\`.`
}

function isGroup(name: string | undefined): name is GroupKind {
  return name !== undefined && isGroupKind(name)
}

function needsCondition(name: GroupKind): string {
  return `\`${name}\` needs at least one condition, such as \`- ${yamlLine(fieldsOf(isText("plan", "pro")))}\`.`
}

/** Where a mapping begins: underlining the whole mapping would mark everything. */
function firstName(node: Node) {
  return node.kind === "mapping" && node.members[0] !== undefined ? node.members[0].nameSpan : node
}
