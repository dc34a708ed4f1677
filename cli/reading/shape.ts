import type { ErrorObject, ValidateFunction } from "ajv"
import { type GroupKind, isGroupKind } from "../../sdk/evaluation/condition.ts"
import type { Code } from "../diagnostics/codes.ts"
import type { Finding, Report, SourceFile, Span } from "../diagnostics/diagnostic.ts"
import { didYouMean, list, quoted, suggest } from "../diagnostics/suggest.ts"
import { isAnyOf } from "../language/comparisons.ts"
import { type MappingNode, memberOf, type Node, nodeAt, type ParsedFile, toValue } from "../language/tree.ts"
import { compileSchema } from "./compile-schema.ts"
import { patternWords, staleAfterPattern } from "./grammar/names.ts"
import { environmentAdvice, environmentsAsMapping, ofConfiguration } from "./hints/environments.ts"
import { explainOperator } from "./hints/operators.ts"
import { describe } from "./hints/quote.ts"
import { synonymOf } from "./hints/synonyms.ts"
import {
  explainMember,
  hasValueBeside,
  isInCondition,
  isInConfiguration,
  isReplaced,
  type Surroundings,
} from "./hints/unknown-field.ts"
import { explainType } from "./hints/wrong-type.ts"
import { createFit } from "./plain-shape.ts"
import { refuseStrayCommas } from "./refuse-stray-commas.ts"
import { refuseStrayDashes } from "./refuse-stray-dashes.ts"

/**
 * Returns a check of files against a JSON Schema. The check reports every deviation at its location, and returns whether
 * the file's meaning can be checked further.
 */
export function createShapeCheck(schema: object): (file: ParsedFile, report: Report) => boolean {
  const fits = createFit(schema)
  let compiled: ValidateFunction | undefined
  return (file, report) => {
    if (fits(file.root)) return true
    if (refuseStrayCommas(file.root, file.source, report)) return false
    if (refuseStrayDashes(file.root, file.source, report)) return false
    compiled ??= compileSchema(schema)
    const validate = compiled
    if (!validate(toValue(file.root))) for (const finding of findings(file, validate)) report.add(finding)
    return true
  }
}

/** Keywords whose errors repeat a clearer error. */
const echoes = new Set(["if"])

function findings(file: ParsedFile, validate: ValidateFunction): readonly Finding[] {
  const errors = (validate.errors ?? []).filter((error) => !echoes.has(error.keyword))
  const reported = new Set<string>()
  /** Whether something about a value is new: an aliased value has many paths, and is reported once. */
  const isNew = ({ start, end }: Node, what: string) => {
    const { size } = reported
    return reported.add(`${start}:${end}:${what}`).size > size
  }
  return errors.flatMap((error) => {
    const at = locate(file, error)
    const around = surroundingsOf(at.node, error, file.source)
    switch (error.keyword) {
      case "required": {
        const name: string = error.params.missingProperty
        // A misspelt required member is both unknown and missing; only the misspelling is reported.
        if (around !== undefined && isReplaced(name, around)) return []
        if (isInConfiguration(name, at.parents) || isInCondition(name, at.node)) return []
        return isNew(at.node, `missing ${name}`) ? [toFinding(file, error, at)] : []
      }
      case "additionalProperties": {
        if (around === undefined) return [toFinding(file, error, at)]
        if (at.path.at(-1) === "environments") {
          const isOfOne = ofConfiguration.includes(error.params.additionalProperty)
          return isOfOne && !isNew(at.node, "of one environment") ? [] : [toFinding(file, error, at)]
        }
        const member = memberOf(around.mapping, error.params.additionalProperty)
        if (member === undefined || isOfShare(member.name, around.mapping)) return []
        const { message, subject, fix } = explainMember(member, around, file.source)
        const finding = {
          code: "unknown-field",
          message,
          source: file.source,
          span: member.nameSpan,
          fix,
        } as const
        return isNew(at.node, subject) ? [finding] : []
      }
      case "type":
        return isWrittenBeside(error, at) ? [] : [toFinding(file, error, at)]
      default:
        return [toFinding(file, error, at)]
    }
  })
}

/** Whether a value is empty because it was written next to its member instead of below it, which is reported there. */
function isWrittenBeside({ parentSchema }: ErrorObject, { node, path, parents }: Located): boolean {
  const mapping = parents.at(-1)
  if (node.kind !== "scalar" || node.value !== null || mapping?.kind !== "mapping") return false
  const environments = Object.keys(parentSchema?.properties ?? {})
  if (hasValueBeside(path.at(-1) ?? "", { mapping, known: [], environments })) return true
  const isEnvironment = path.at(-2) === "environments"
  return isEnvironment && ofConfiguration.some((name) => memberOf(mapping, name) !== undefined)
}

/** Where members are unknown or missing; `undefined` if it is not a mapping. */
function surroundingsOf(
  mapping: Node,
  { parentSchema }: ErrorObject,
  { path }: SourceFile,
): Surroundings | undefined {
  if (mapping.kind !== "mapping") return undefined
  const members: Readonly<Record<string, object>> = parentSchema?.properties ?? {}
  const { environments = {} } = members
  const names = "properties" in environments ? Object.keys(environments.properties as object) : []
  return { mapping, known: Object.keys(members), environments: names, path }
}

/** Whether a member belongs inside a `share` or a `split` that is not a mapping, which has been reported. */
function isOfShare(name: string, mapping: MappingNode): boolean {
  return Object.entries(ofShares).some(([form, names]) => {
    const value = memberOf(mapping, form)?.value
    return value !== undefined && value.kind !== "mapping" && names.includes(name)
  })
}

const ofShares = { share: ["by", "to", "from", "seed"], split: ["by", "into", "seed"] }

type Located = ReturnType<typeof locate>

function locate({ root }: ParsedFile, error: ErrorObject) {
  const path = error.instancePath.split("/").slice(1).map(unescapeStep)
  const parents = path.map((_, depth) => nodeAt(root, path.slice(0, depth))?.node ?? root)
  return { path, parents, ...(nodeAt(root, path) ?? { node: root, member: undefined }) }
}

function toFinding(file: ParsedFile, error: ErrorObject, located: Located): Finding {
  const { source } = file
  const { path, node, member } = located
  const inList = path.length > 0 && member === undefined
  const name = inList ? path.findLast((step) => !/^\d+$/.test(step)) : path.at(-1)
  const named = name === undefined ? undefined : `\`${name}\``
  const subject = inList ? `An item of ${named ?? "the file"}` : (named ?? "The file")
  const at = (code: Code, message: string, span: Span = node): Finding => ({
    code,
    message,
    source,
    span,
  })
  switch (error.keyword) {
    case "additionalProperties":
      return unknownEnvironment(file, error, located)
    case "required":
      return at(
        "missing-field",
        lacking(subject, error.params.missingProperty, {
          isFile: name === undefined,
          isRule: inList && name === "rules",
        }),
        member?.nameSpan ?? firstName(node),
      )
    case "type":
      if (isGroup(name) && node.kind === "scalar" && node.value === null)
        return at("wrong-type", needsCondition(name))
      if (name === "environments" && error.params.type === "object")
        return at("wrong-type", environmentsAsMapping(node, error.parentSchema?.properties ?? {}))
      return explainType({ name, subject, type: error.params.type, node, example: exampleIn(error) }, source)
    case "enum":
      return notAllowed(source, error, located, { name, subject })
    case "pattern": {
      const form = patternWords.get(error.params.pattern) ?? `of the form \`${error.params.pattern}\``
      const isName = error.params.pattern !== staleAfterPattern.source
      const code = name === "key" ? "bad-key" : isName ? "bad-name" : "wrong-type"
      return at(code, `${subject} must be ${form}.`)
    }
    case "minItems":
      if (isGroup(name)) return at("wrong-type", needsCondition(name))
      return at("wrong-type", `${subject} must not be empty.`)
    case "minLength":
      return at("wrong-type", `${subject} must not be empty.`)
    default: // any other limit, which Ajv's message names
      return at("wrong-type", `${subject} ${error.message ?? "has a wrong value"}.`)
  }
}

/** Without a fix: renaming an environment could turn flags on where they are off. */
function unknownEnvironment(
  { source, root }: ParsedFile,
  { params, parentSchema }: ErrorObject,
  { path, node }: Located,
): Finding {
  const unknown: string = params.additionalProperty
  const known = Object.keys((parentSchema?.properties as object | undefined) ?? {})
  const tail = () => {
    const advice = environmentAdvice(unknown, known)
    if (advice !== undefined) return `. ${advice}`
    const free = known.filter((name) => node.kind !== "mapping" || memberOf(node, name) === undefined)
    return suggest(unknown, free) === undefined ? `. Known: ${list(known, 12)}.` : didYouMean(unknown, free)
  }
  const message = `Unknown environment ${quoted(unknown)}${tail()}`
  const span = nodeAt(root, [...path, unknown])?.member?.nameSpan ?? node
  return { code: "unknown-environment", message, source, span }
}

/** A value that is not in a list of allowed ones. */
function notAllowed(
  source: SourceFile,
  { params }: ErrorObject,
  { node, parents }: Located,
  { name, subject }: { readonly name: string | undefined; readonly subject: string },
): Finding {
  const allowed: readonly string[] = params.allowedValues
  const value = toValue(node)
  const at = (code: Code, message: string): Finding => ({ code, message, source, span: node })
  if (typeof value !== "string")
    return at("wrong-type", `${subject} must be one of ${list(allowed)}, not ${describe(node)}.`)
  if (name === "operator" && node.kind === "scalar") {
    const { tail, fix } = explainOperator(node, parents.at(-1), allowed, source)
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
  return isRule ? `This rule has no \`${field}\`.` : `${subject} needs \`${field}\`.`
}

function exampleIn({ parentSchema }: ErrorObject): unknown {
  return parentSchema?.examples?.[0]
}

function isGroup(name: string | undefined): name is GroupKind {
  return name !== undefined && isGroupKind(name)
}

function needsCondition(name: GroupKind): string {
  const { attribute, operator, value } = isAnyOf("plan", ["pro"])
  return `\`${name}\` needs at least one condition, such as \`- { attribute: ${attribute}, operator: ${operator}, value: ${value} }\`.`
}

/** Where a mapping begins: underlining the whole mapping would mark everything. */
function firstName(node: Node) {
  return node.kind === "mapping" && node.members[0] !== undefined ? node.members[0].nameSpan : node
}

/** RFC 6901, section 4. */
function unescapeStep(step: string): string {
  return step.replaceAll("~1", "/").replaceAll("~0", "~")
}
