import { memberOf, type Node } from "../yaml/tree.ts"

/** JSON Schema, as far as the schemas of `schema.ts` use it. Descriptions are ignored. */
interface Schema {
  readonly type?: "object" | "array" | "string" | "boolean"
  readonly enum?: readonly unknown[]
  readonly minLength?: number
  readonly maxLength?: number
  readonly pattern?: string
  readonly minItems?: number
  readonly items?: Schema
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly additionalProperties?: false
  readonly if?: Schema
  readonly then?: Schema
  readonly else?: Schema
}

type Fits = (node: Node) => boolean

/**
 * Makes the test that nearly all files pass, many times faster than Ajv, which has the last word: `false` means "ask Ajv",
 * after a deviation or something unusual. Throws where the schema has a keyword that is not known here.
 */
export function createFit(schema: object): Fits {
  const unknown = Object.keys(schema).find((keyword) => !keywords.has(keyword))
  if (unknown !== undefined) throw new Error(`no shape is known for the keyword ${unknown}`)
  const { type, if: condition, then, else: otherwise, ...rest } = schema as Schema
  const tests: Fits[] = []
  if (type !== undefined) tests.push(byType[type](rest))
  if (rest.enum !== undefined) {
    const values = new Set(rest.enum)
    tests.push((node) => node.kind === "scalar" && values.has(node.value))
  }
  if (condition !== undefined) {
    const [when, fits, fitsElse] = [condition, then ?? {}, otherwise ?? {}].map(createFit) as [
      Fits,
      Fits,
      Fits,
    ]
    tests.push((node) => (when(node) ? fits(node) : fitsElse(node)))
  }
  const [only = () => true, second] = tests
  return second === undefined ? only : (node) => tests.every((test) => test(node))
}

const keywords = new Set([
  ...["type", "enum", "minLength", "maxLength", "pattern", "minItems", "items", "properties", "required"],
  ...["additionalProperties", "if", "then", "else", "description", "examples"],
])

const byType: Readonly<Record<NonNullable<Schema["type"]>, (schema: Schema) => Fits>> = {
  boolean: () => (node) => node.kind === "scalar" && typeof node.value === "boolean",
  string: ({ minLength = 0, maxLength = Number.POSITIVE_INFINITY, pattern }) => {
    const wanted = pattern === undefined ? undefined : new RegExp(pattern, "u")
    return (node) => {
      if (node.kind !== "scalar" || typeof node.value !== "string") return false
      // JSON Schema counts characters: as many as code units, or as few as half of them.
      const { length } = node.value
      const fits = length >= 2 * minLength - 1 && length <= maxLength
      return fits && (wanted === undefined || wanted.test(node.value))
    }
  },
  array: ({ minItems = 0, items = {} }) => {
    const fits = createFit(items)
    return (node) => node.kind === "sequence" && node.items.length >= minItems && node.items.every(fits)
  },
  object: ({ properties = {}, required = [], additionalProperties }) => {
    const known = new Map(Object.entries(properties).map(([name, schema]) => [name, createFit(schema)]))
    return (node) =>
      node.kind === "mapping" &&
      required.every((name) => memberOf(node, name) !== undefined) &&
      node.members.every(({ name, value }) => known.get(name)?.(value) ?? additionalProperties !== false)
  },
}
