import { createRequire } from "node:module"
import type { ErrorObject, ValidateFunction } from "ajv"
import type { Code } from "../../diagnostics/codes.ts"
import type { Edit, Finding, Report, SourceFile, Span } from "../../diagnostics/diagnostic.ts"
import { didYouMean, list, onlySuggestion, quoted, suggest } from "../../diagnostics/suggest.ts"
import { type MappingNode, memberOf, type Node, nodeAt, type ParsedFile, toValue } from "../yaml/tree.ts"
import { expiryRule } from "./expiry.ts"
import { patternWords } from "./names.ts"
import { createFit } from "./plain-shape.ts"
import { describe, hasAnchors, misreadingOf, quoting, unquoting } from "./quote.ts"
import { synonymOf } from "./synonyms.ts"

/** Makes a check of files against a JSON Schema, which reports every deviation at its location. */
export function createShapeCheck(schema: object): (file: ParsedFile, report: Report) => void {
  const fits = createFit(schema)
  let compiled: ValidateFunction | undefined
  return (file, report) => {
    if (fits(file.root)) return
    compiled ??= compileSchema(schema)
    const validate = compiled
    if (validate(toValue(file.root))) return
    for (const finding of findings(file, validate)) report.add(finding)
  }
}

/** Ajv has the last word. It is loaded at the first deviation, which costs as much as checking a thousand files. */
export function compileSchema(schema: object): ValidateFunction {
  const { Ajv }: typeof import("ajv") = createRequire(import.meta.url)("ajv")
  return new Ajv({
    allErrors: true,
    strict: true,
    verbose: true,
    ownProperties: true, // an environment may be named as what every object inherits
    validateSchema: false,
  }).compile(schema)
}

/** The unknown member of a mapping that most likely should be called `name`, if there is one. */
export function misspellingOf(
  name: string,
  mapping: MappingNode,
  known: readonly string[],
): string | undefined {
  if (memberOf(mapping, name) !== undefined) return undefined
  const free = freeOf(mapping, known)
  return mapping.members.find((member) => !known.includes(member.name) && suggest(member.name, free) === name)
    ?.name
}

/** The known members that a mapping does not have: an unknown one can only be a misspelling of one of these. */
function freeOf(node: Node, known: readonly string[]): readonly string[] {
  return node.kind === "mapping" ? known.filter((name) => memberOf(node, name) === undefined) : known
}

/** Keywords whose errors repeat what another error says better. */
const echoes = new Set(["if"])

function findings(file: ParsedFile, validate: ValidateFunction): readonly Finding[] {
  const errors = (validate.errors ?? []).filter((error) => !echoes.has(error.keyword))
  const missing = new Set<string>()
  return errors.flatMap((error) => {
    const at = locate(file, error)
    if (error.keyword === "required") {
      const name: string = error.params.missingProperty
      // A misspelt required member is both unknown and missing; only the misspelling is reported.
      if (at.node.kind === "mapping" && misspellingOf(name, at.node, knownMembers(error)) !== undefined)
        return []
      // A member that an aliased value lacks is missing once, however many paths lead to the value.
      const identity = `${at.node.start}:${at.node.end}:${name}`
      if (missing.has(identity)) return []
      missing.add(identity)
    }
    return [toFinding(file, error, at)]
  })
}

function locate({ root }: ParsedFile, error: ErrorObject) {
  const path = error.instancePath.split("/").slice(1).map(unescapeStep)
  return { path, ...(nodeAt(root, path) ?? { node: root, member: undefined }) }
}

function toFinding(
  file: ParsedFile,
  error: ErrorObject,
  { path, node, member }: ReturnType<typeof locate>,
): Finding {
  const { source, root } = file
  const inList = path.length > 0 && member === undefined
  const name = inList ? path.findLast((step) => !/^\d+$/.test(step)) : path.at(-1)
  const subject = name === undefined ? "The file" : `${inList ? "An item of " : ""}\`${name}\``
  const at = (code: Code, message: string, span: Span = node, fix?: Edit): Finding => ({
    code,
    message,
    source,
    span,
    fix,
  })
  switch (error.keyword) {
    case "additionalProperties": {
      const unknown: string = error.params.additionalProperty
      const kind = path.at(-1) === "environments" ? "environment" : "member"
      const known = knownMembers(error)
      const free = freeOf(node, known)
      const span = nodeAt(root, [...path, unknown])?.member?.nameSpan
      const meant =
        suggest(unknown, free) === undefined ? `. Known: ${list(known, 12)}.` : didYouMean(unknown, free)
      // Renaming an environment would turn flags on where they are off.
      const fix = kind === "member" ? renaming(unknown, free, span, source) : undefined
      return at(`unknown-${kind}`, `Unknown ${kind} ${quoted(unknown)}${meant}`, span, fix)
    }
    case "required":
      return at(
        "missing-member",
        `${subject} needs the member \`${error.params.missingProperty}\`.`,
        member?.nameSpan ?? firstName(node),
      )
    case "type":
      return wrongType(name, subject, error.params.type, node, source, at)
    case "enum": {
      const allowed: readonly string[] = error.params.allowedValues
      const value = toValue(node)
      if (typeof value !== "string") {
        return at("wrong-type", `${subject} must be one of ${list(allowed)}, not ${describe(node)}.`)
      }
      return at(
        name === "operator" ? "unknown-operator" : "unknown-type",
        `Unknown ${name} ${quoted(value)}${didYouMean(value, allowed, synonymOf(name, value))}`,
      )
    }
    case "pattern": {
      const form = patternWords.get(error.params.pattern) ?? `of the form \`${error.params.pattern}\``
      return at(name === "key" ? "bad-key" : "bad-name", `${subject} must be ${form}.`)
    }
    case "minLength":
    case "minItems":
      return at("wrong-type", `${subject} must not be empty.`)
    default: // another measure: Ajv's sentence says which
      return at("wrong-type", `${subject} ${error.message ?? "has a wrong value"}.`)
  }
}

function wrongType(
  name: string | undefined,
  subject: string,
  type: string,
  node: Node,
  source: SourceFile,
  at: (code: Code, message: string, span?: Span, fix?: Edit) => Finding,
): Finding {
  if (name === "expires" && node.kind === "scalar" && node.value !== null)
    return at("bad-expiry", expiryRule(node, source))
  const misreading = node.kind === "scalar" ? misreadingOf(node, source) : undefined
  if (type === "string" && node.kind === "scalar" && misreading !== undefined) {
    const { advice, fix } = quoting(node, source)
    return at("wrong-type", `${subject} must be text, but ${misreading} here. ${advice}`, node, fix)
  }
  const advice = type === "boolean" ? unquoting(node, type) : ""
  return at("wrong-type", `${subject} must be ${typeWords[type] ?? type}, not ${describe(node)}.${advice}`)
}

/** The edit that corrects a misspelt name, where it can be only one name. */
function renaming(
  unknown: string,
  free: readonly string[],
  span: Span | undefined,
  source: SourceFile,
): Edit | undefined {
  const meant = onlySuggestion(unknown, free)
  if (meant === undefined || span === undefined || hasAnchors(source)) return undefined
  // In `{"nmae":1}` the quotes must stay: without them the colon would be part of the name.
  const quote = /^["']/.exec(source.text.slice(span.start, span.end))?.[0] ?? ""
  return { start: span.start, end: span.end, text: `${quote}${meant}${quote}` }
}

/** Where a mapping begins: underlining the whole mapping would mark everything. */
function firstName(node: Node) {
  return node.kind === "mapping" && node.members[0] !== undefined ? node.members[0].nameSpan : node
}

function knownMembers(error: ErrorObject): readonly string[] {
  return Object.keys((error.parentSchema?.properties as object | undefined) ?? {})
}

/** RFC 6901, section 4. */
function unescapeStep(step: string): string {
  return step.replaceAll("~1", "/").replaceAll("~0", "~")
}

const typeWords: Readonly<Record<string, string>> = {
  object: "a mapping",
  array: "a list",
  string: "text",
  boolean: "true or false",
  number: "a number",
}
