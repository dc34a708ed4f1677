import { Ajv, type ErrorObject, type ValidateFunction } from "ajv"
import type { Code } from "../diagnostics/codes.ts"
import type { Finding, Report, Span } from "../diagnostics/diagnostic.ts"
import { didYouMean, list, suggest } from "../diagnostics/suggest.ts"
import { type Node, nodeAt, type ParsedFile, toValue } from "./tree.ts"

/** Makes a check of files against a JSON Schema; it reports every deviation at its place. */
export function createShapeCheck(schema: object): (file: ParsedFile, report: Report) => void {
  // Made at the first file: it costs more than all the rest where every file is remembered. That the schemas are
  // schemas is for tests to check.
  let compiled: ValidateFunction | undefined
  return (file, report) => {
    compiled ??= new Ajv({ allErrors: true, strict: true, verbose: true, validateSchema: false }).compile(
      schema,
    )
    const validate = compiled
    if (validate(toValue(file.root))) return
    for (const finding of findings(file, validate)) report.add(finding)
  }
}

/** Keywords that say again what another error says better. */
const echoes = new Set(["if"])

function findings(file: ParsedFile, validate: ValidateFunction): readonly Finding[] {
  const errors = (validate.errors ?? []).filter((error) => !echoes.has(error.keyword))
  // A misspelt required member is both unknown and missing. It is one mistake: the misspelling.
  const misspelt = new Set(
    errors.flatMap((error) => {
      if (error.keyword !== "additionalProperties") return []
      const guess = suggest(error.params.additionalProperty, knownMembers(error))
      return guess === undefined ? [] : [`${error.instancePath}/${guess}`]
    }),
  )
  return errors
    .filter((e) => e.keyword !== "required" || !misspelt.has(`${e.instancePath}/${e.params.missingProperty}`))
    .map((error) => toFinding(file, error))
}

function toFinding({ source, root }: ParsedFile, error: ErrorObject): Finding {
  const path = error.instancePath.split("/").slice(1).map(unescapeStep)
  const { node, member } = nodeAt(root, path) ?? { node: root, member: undefined }
  const inList = path.length > 0 && member === undefined
  const name = inList ? path.findLast((step) => !/^\d+$/.test(step)) : path.at(-1)
  const subject = name === undefined ? "The file" : `${inList ? "An item of " : ""}\`${name}\``
  const at = (code: Code, message: string, span: Span = node): Finding => ({ code, message, source, span })
  switch (error.keyword) {
    case "additionalProperties": {
      const unknown: string = error.params.additionalProperty
      const kind = path.at(-1) === "environments" ? "environment" : "member"
      return at(
        `unknown-${kind}`,
        `Unknown ${kind} \`${unknown}\`${didYouMean(unknown, knownMembers(error))}`,
        nodeAt(root, [...path, unknown])?.member?.nameSpan,
      )
    }
    case "required":
      return at(
        "missing-member",
        `${subject} needs the member \`${error.params.missingProperty}\`.`,
        member?.nameSpan ?? firstName(node),
      )
    case "type":
      return at(
        "wrong-type",
        `${subject} must be ${typeWords[error.params.type] ?? error.params.type}, not ${describe(node)}.${quoting(error, node)}`,
      )
    case "enum": {
      const allowed: readonly string[] = error.params.allowedValues
      const value = toValue(node)
      if (typeof value !== "string") {
        return at("wrong-type", `${subject} must be one of ${list(allowed)}, not ${describe(node)}.`)
      }
      return at(
        name === "operator" ? "unknown-operator" : "unknown-type",
        `Unknown ${name} \`${value}\`${didYouMean(value, allowed)}`,
      )
    }
    case "pattern":
      return at(name === "key" ? "bad-key" : "bad-name", `${subject} must match \`${error.params.pattern}\`.`)
    case "minLength":
    case "minItems":
      return at("wrong-type", `${subject} must not be empty.`)
    default: // another measure: Ajv's sentence says which
      return at("wrong-type", `${subject} ${error.message ?? "has a wrong value"}.`)
  }
}

/** The mend for a scalar that YAML took for something else than the text it was meant as. */
function quoting(error: ErrorObject, node: Node): string {
  if (error.params.type !== "string" || node.kind !== "scalar" || node.value === null) return ""
  return " Quote it."
}

/** Where a mapping begins, without the rest of it: a frame under the whole would mark everything. */
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

/** What an author wrote, in words. */
export function describe(node: Node): string {
  if (node.kind !== "scalar") return node.kind === "mapping" ? "a mapping" : "a list"
  return node.value === null
    ? "empty"
    : { string: "text", number: "a number", boolean: "a boolean" }[typeof node.value as "string"]
}
