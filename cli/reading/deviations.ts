import type { Json } from "../../sdk/contract/snapshot.ts"
import { type MappingNode, type Member, memberOf, type Node } from "../language/tree.ts"

/** JSON Schema, as far as the schemas in `grammar/` use it. Descriptions are for editors. */
export interface Schema {
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
  readonly examples?: readonly Json[]
  readonly definitions?: Readonly<Record<string, Schema>>
  /** One of the definitions: `#/definitions/` and its name. */
  readonly $ref?: string
}

/** A value in a file. */
export interface Place {
  readonly node: Node
  /** The member whose value it is; `undefined` for an item of a list and for the whole file. */
  readonly member: Member | undefined
  /** `undefined` for the whole file. */
  readonly around: Place | undefined
}

/** How a value differs from its schema. */
export type Deviation = { readonly place: Place; readonly schema: Schema } & (
  | { readonly kind: "unknown"; readonly mapping: MappingNode; readonly member: Member }
  | { readonly kind: "missing"; readonly name: string }
  | { readonly kind: "type"; readonly type: NonNullable<Schema["type"]> }
  | { readonly kind: "value"; readonly allowed: readonly string[] }
  | { readonly kind: "form"; readonly pattern: string }
  | { readonly kind: "empty" }
  | { readonly kind: "long"; readonly most: number }
)

/** How a file differs from a schema, from top to bottom; empty for nearly all files. */
export function deviationsIn(root: Node, schema: object): readonly Deviation[] {
  const found: Deviation[] = []
  const walk = createWalk((schema as Schema).definitions ?? {}, found)
  walk({ node: root, member: undefined, around: undefined }, schema)
  return found
}

type Walk = (place: Place, schema: Schema) => void

function createWalk(definitions: Readonly<Record<string, Schema>>, found: Deviation[]): Walk {
  const walk: Walk = (place, schema) => {
    const { type, $ref } = schema
    if ($ref !== undefined) walk(place, definitions[$ref.slice("#/definitions/".length)] as Schema)
    if (type !== undefined && !hasType(place.node, type)) found.push({ place, schema, kind: "type", type })
    else if (place.node.kind === "scalar") checkScalar(place, place.node.value, schema, found)
    else if (place.node.kind === "sequence") walkItems(place, place.node.items, schema)
    else walkMembers(place, place.node, schema)
    if (schema.enum !== undefined && !isOneOf(place.node, schema.enum))
      found.push({ place, schema, kind: "value", allowed: schema.enum as readonly string[] })
    if (schema.if === undefined) return
    const next = isLike(place, schema.if) ? schema.then : schema.else
    if (next !== undefined) walk(place, next)
  }
  const isLike = (place: Place, schema: Schema) => {
    const differences: Deviation[] = []
    createWalk(definitions, differences)(place, schema)
    return differences.length === 0
  }
  const walkItems = (place: Place, items: readonly Node[], schema: Schema) => {
    const { minItems = 0, items: ofItems } = schema
    if (items.length < minItems) found.push({ place, schema, kind: "empty" })
    if (ofItems === undefined) return
    for (const node of items) walk({ node, member: undefined, around: place }, ofItems)
  }
  const walkMembers = (place: Place, mapping: MappingNode, schema: Schema) => {
    const { properties = {}, required = [], additionalProperties = {} } = schema
    for (const name of required)
      if (memberOf(mapping, name) === undefined) found.push({ place, schema, kind: "missing", name })
    for (const member of mapping.members) {
      const { name, value } = member
      const own = Object.hasOwn(properties, name) ? properties[name] : undefined
      if (own === undefined && additionalProperties === false)
        found.push({ place, schema, kind: "unknown", mapping, member })
      else walk({ node: value, member, around: place }, own ?? (additionalProperties as Schema))
    }
  }
  return walk
}

function checkScalar(place: Place, value: unknown, schema: Schema, found: Deviation[]): void {
  const { minLength = 0, maxLength = Number.POSITIVE_INFINITY, pattern } = schema
  if (typeof value !== "string") return
  // JSON Schema counts characters, and n code units are n/2 to n characters.
  if (value.length < minLength) found.push({ place, schema, kind: "empty" })
  if (value.length > maxLength && [...value].length > maxLength)
    found.push({ place, schema, kind: "long", most: maxLength })
  if (pattern !== undefined && !expressionOf(pattern).test(value))
    found.push({ place, schema, kind: "form", pattern })
}

function hasType(node: Node, type: NonNullable<Schema["type"]>): boolean {
  if (type === "object") return node.kind === "mapping"
  if (type === "array") return node.kind === "sequence"
  return node.kind === "scalar" && typeof node.value === type
}

function isOneOf(node: Node, allowed: readonly unknown[]): boolean {
  return node.kind === "scalar" && allowed.includes(node.value)
}

const expressions = new Map<string, RegExp>()

function expressionOf(pattern: string): RegExp {
  const known = expressions.get(pattern) ?? new RegExp(pattern, "u")
  expressions.set(pattern, known)
  return known
}
