import { createRequire } from "node:module"
import type { ErrorObject, ValidateFunction } from "ajv"
import type { Json } from "../../sdk/contract/snapshot.ts"
import type { Finding, Report, SourceFile } from "../diagnostics/diagnostic.ts"
import { quoted } from "../diagnostics/suggest.ts"
import { loadEngine } from "../language/expression-engine.ts"
import type { Flag } from "../language/flag.ts"
import { memberOf, type Node, nodeAt, type Text, toValue, writtenText } from "../language/tree.ts"
import { pathBeside } from "../reading/list-file.ts"
import { pathIn } from "../reading/references.ts"
import { returnValuesIn } from "../reading/split.ts"
import type { Check } from "./check.ts"
import { whyNoFile } from "./file-is-there.ts"

/** If a flag of type `json` has a `schema`, its default and every value that its rules give are valid against it. */
export const jsonValuesFitSchema: Check = (flag, _project, report) => {
  const { source, root, type, defaultNode } = flag
  const schema = memberOf(root, "schema")
  const file = writtenText(schema?.value)
  if (schema === undefined || (schema.value.kind !== "mapping" && !file?.text)) return
  if (type !== "json") {
    const message = "A `schema` is for values of `type: json`. Remove it, or write the type."
    report.add({ code: "unknown-field", message, source, span: schema.nameSpan })
    return
  }
  const read = file === undefined ? { schema: toValue(schema.value) } : readSchema(file, flag)
  if (read === undefined) return
  if ("message" in read) {
    report.add({ ...read, source, span: schema.value })
    return
  }
  const validate = compile(read.schema)
  if (typeof validate === "string") {
    const what = file === undefined ? "`schema`" : quoted(file.text)
    const message = `${what} must be a JSON Schema (2020-12): ${validate}.`
    report.add({
      code: "wrong-type",
      message,
      source,
      span: file === undefined ? schema.nameSpan : file.span,
    })
    return
  }
  const values = returnValuesIn(flag)
  // An alias is the node of its anchor, which is checked once.
  for (const node of new Set(defaultNode === undefined ? values : [defaultNode, ...values]))
    checkValue(node, validate, source, report)
}

/** The schema in a file, or what is wrong with the file; `undefined` if its own mistake is reported. */
function readSchema(
  { text: written }: Text,
  { source, references }: Flag,
): { readonly schema: Json } | Pick<Finding, "code" | "message"> | undefined {
  const { files } = references
  if (files === undefined) return undefined
  const name = pathBeside(pathIn(references, source), written)
  const message = whyNoFile({ written, name, ending: ".json" }, files)
  if (message !== undefined) return { code: "unknown-file", message }
  const file = files.get(name)
  if (file === undefined) return undefined
  try {
    return { schema: JSON.parse(file.text) }
  } catch (error) {
    return { code: "wrong-type", message: `${quoted(written)} is not JSON: ${(error as Error).message}.` }
  }
}

/** The compiled schema, or why it is none. Loads Ajv, as few files need it. An address in `$ref` is never fetched. */
function compile(schema: Json): ValidateFunction | string {
  if (typeof schema !== "boolean" && (typeof schema !== "object" || schema === null || Array.isArray(schema)))
    return "that is an object, `true` or `false`"
  const { Ajv2020 }: typeof import("ajv/dist/2020.js") = createRequire(import.meta.url)("ajv/dist/2020.js")
  const options = {
    strict: false,
    validateFormats: false,
    logger: false,
    ownProperties: true,
    code: { regExp, process: countingSteps },
  } as const
  try {
    const ajv = Object.assign(new Ajv2020(options), { step: () => {} })
    const validate = ajv.compile(schema)
    ajv.step = stepCounter()
    // Ajv adds it to JSON Schema, for checks that wait: this one would return a promise.
    return "$async" in validate ? "`$async` is not allowed" : validate
  } catch (error) {
    const { message } = error as Error
    const [, path = "", fault] = /^schema is invalid: data(\S*) ([^,]+)/.exec(message) ?? []
    return fault === undefined
      ? message.replace(/\.$/, "")
      : `\`schema${path.replaceAll("/", ".")}\` ${fault}`
  }
}

/** RE2, because a pattern that backtracks could take for ever. */
const regExp = Object.assign(
  (pattern: string) => {
    const expression = loadEngine().RE2JS.compile(pattern)
    // Ajv takes patterns with the same text for the same pattern.
    return { test: (text: string) => expression.test(text), toString: () => pattern }
  },
  { code: "RE2" },
)

/** One step each time the target of a `$ref` looks at a value; a large configuration takes some thousands. */
const mostSteps = 1_000_000

/**
 * Throws a `RangeError`, as a full stack does, once a flag's steps are used up. Alternatives that refer to the same schema
 * double the work at each level: forty levels would take days.
 */
function stepCounter(): () => void {
  let left = mostSteps
  return () => {
    if (left-- <= 0) throw new RangeError("too many steps")
  }
}

/** Ajv's code for a schema that a `$ref` leads to, which counts a step each time it runs. */
function countingSteps(code: string): string {
  return code.replace(/return function \w+\(data, \{.*?\}=\{\}\)\{/, "$&self.step();")
}

function checkValue(node: Node, validate: ValidateFunction, source: SourceFile, report: Report): void {
  if (isValid(validate, node)) return
  const error = toReport(validate.errors ?? [])
  const path = (error?.instancePath ?? "").split("/").slice(1).map(unescapeStep)
  const { node: place = node, member } = nodeAt(node, path) ?? {}
  const unknown = error && unknownIn(error, place)
  const what = path.length === 0 ? "This value" : quoted(path.join("."))
  report.add({
    code: "wrong-value-type",
    message:
      error === undefined
        ? "This value cannot be checked, because `schema` follows its `$ref` without end or too often."
        : `${what} ${wordsOf(error)}, as \`schema\` says.`,
    source,
    span: unknown ?? member?.nameSpan ?? place,
  })
}

/** Whether a value is valid; not if that cannot be found out. */
function isValid(validate: ValidateFunction, node: Node): boolean {
  try {
    return validate(toValue(node)) === true
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    validate.errors = null // of what was looked at until then
    return false
  }
}

/** The first mistake; if it is one alternative's, that none of them fits, which Ajv adds after the mistakes of each. */
function toReport(errors: readonly ErrorObject[]): ErrorObject | undefined {
  const [first] = errors
  const isAround = ({ keyword, instancePath }: ErrorObject) =>
    (keyword === "anyOf" || keyword === "oneOf") && `${first?.instancePath}/`.startsWith(`${instancePath}/`)
  return errors.findLast(isAround) ?? first
}

function wordsOf({ keyword, params, message = "is not valid" }: ErrorObject): string {
  if (keyword === "type") return `must be of type ${[params.type].flat().join(" or ")}`
  if (keyword === "additionalProperties") return `must not have ${quoted(params.additionalProperty)}`
  if (keyword === "required") return `must have ${quoted(params.missingProperty)}`
  if (keyword === "const") return `must be ${quoted(JSON.stringify(params.allowedValue))}`
  if (keyword === "false schema") return "is not allowed"
  return keyword === "enum" ? `must be one of ${JSON.stringify(params.allowedValues)}` : message
}

/** The name of a field that the schema does not allow. */
function unknownIn({ keyword, params }: ErrorObject, place: Node) {
  if (keyword !== "additionalProperties" || place.kind !== "mapping") return undefined
  return memberOf(place, params.additionalProperty)?.nameSpan
}

/** RFC 6901, section 4. */
function unescapeStep(step: string): string {
  return step.replaceAll("~1", "/").replaceAll("~0", "~")
}
