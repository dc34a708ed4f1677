import { memberOf, type Node } from "../language/tree.ts"

/** JSON Schema, as far as the schemas of `schema.ts` use it. Descriptions are ignored. */
interface Schema {
  readonly type?: "object" | "array" | "string" | "boolean" | "number"
  readonly enum?: readonly unknown[]
  readonly minLength?: number
  readonly maxLength?: number
  readonly pattern?: string
  readonly minItems?: number
  readonly items?: Schema
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly additionalProperties?: false | Schema
  readonly if?: Schema
  readonly then?: Schema
  readonly else?: Schema
  readonly definitions?: Readonly<Record<string, Schema>>
  /** One of the definitions: `#/definitions/` and its name. */
  readonly $ref?: string
}

type Fits = (node: Node) => boolean

/**
 * Returns a test that nearly all files pass, many times faster than Ajv. `false` means "ask Ajv", which has the last word:
 * the file has a deviation or something unusual. Without this test, every command would load Ajv, which takes 0.1 s: half as
 * long again as the lint of a few flags. Throws if the schema has a keyword that is not known here.
 */
export function createFit(schema: object): Fits {
  const definitions = new Map<string, Fits>()
  for (const [name, definition] of Object.entries((schema as Schema).definitions ?? {}))
    definitions.set(`#/definitions/${name}`, fitOf(definition, definitions))
  return fitOf(schema, definitions)
}

/** Definitions may refer to each other, so they are looked up when a node is tested. */
type Definitions = ReadonlyMap<string, Fits>

function fitOf(schema: object, definitions: Definitions): Fits {
  const unknown = Object.keys(schema).find((keyword) => !keywords.has(keyword))
  if (unknown !== undefined) throw new Error(`no shape is known for the keyword ${unknown}`)
  const { type, if: condition, then, else: otherwise, $ref, ...rest } = schema as Schema
  const tests: Fits[] = []
  if ($ref !== undefined) tests.push((node) => definitions.get($ref)?.(node) ?? false)
  if (type !== undefined) tests.push(byType[type](rest, definitions))
  if (rest.enum !== undefined) {
    const values = new Set(rest.enum)
    tests.push((node) => node.kind === "scalar" && values.has(node.value))
  }
  if (condition !== undefined) {
    const [when, fits, fitsElse] = [condition, then ?? {}, otherwise ?? {}].map((one) =>
      fitOf(one, definitions),
    ) as [Fits, Fits, Fits]
    tests.push((node) => (when(node) ? fits(node) : fitsElse(node)))
  }
  const [only = () => true, second] = tests
  return second === undefined ? only : (node) => tests.every((test) => test(node))
}

const keywords = new Set([
  ...["type", "enum", "minLength", "maxLength", "pattern", "minItems", "items", "properties", "required"],
  ...["additionalProperties", "if", "then", "else", "description", "examples", "definitions", "$ref"],
])

type Make = (schema: Schema, definitions: Definitions) => Fits

const byType: Readonly<Record<NonNullable<Schema["type"]>, Make>> = {
  boolean: () => (node) => node.kind === "scalar" && typeof node.value === "boolean",
  number: () => (node) => node.kind === "scalar" && typeof node.value === "number",
  string: ({ minLength = 0, maxLength = Number.POSITIVE_INFINITY, pattern }) => {
    const wanted = pattern === undefined ? undefined : new RegExp(pattern, "u")
    return (node) => {
      if (node.kind !== "scalar" || typeof node.value !== "string") return false
      // JSON Schema counts characters, and n code units are n/2 to n characters.
      const { length } = node.value
      const fits = length >= 2 * minLength - 1 && length <= maxLength
      return fits && (wanted === undefined || wanted.test(node.value))
    }
  },
  array: ({ minItems = 0, items = {} }, definitions) => {
    const fits = fitOf(items, definitions)
    return (node) => {
      if (node.kind !== "sequence" || node.items.length < minItems) return false
      for (const item of node.items) if (!fits(item)) return false
      return true
    }
  },
  object: ({ properties = {}, required = [], additionalProperties = {} }, definitions) => {
    const known = new Map(
      Object.entries(properties).map(([name, schema]) => [name, fitOf(schema, definitions)]),
    )
    const other = additionalProperties === false ? () => false : fitOf(additionalProperties, definitions)
    return (node) => {
      if (node.kind !== "mapping") return false
      for (const name of required) if (memberOf(node, name) === undefined) return false
      for (const { name, value } of node.members) if (!(known.get(name) ?? other)(value)) return false
      return true
    }
  },
}
