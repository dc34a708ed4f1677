import { type MappingNode, memberOf, toValue } from "../yaml/tree.ts"

/** The types that an attribute can be declared with. */
export const attributeTypes = ["text", "number", "boolean", "version", "moment", "list"] as const

export type AttributeType = (typeof attributeTypes)[number]

/** An attribute of evaluation contexts, as the project file declares it. */
export interface KnownAttribute {
  readonly name: string
  /** `undefined`: any. */
  readonly type: AttributeType | undefined
  readonly description: string
  /** The only values that the attribute can have; `undefined`: any. */
  readonly values: readonly string[] | undefined
}

/** The attributes of the project by name; `undefined` if the project file lists none, so that any name is allowed. */
export type KnownAttributes = ReadonlyMap<string, KnownAttribute> | undefined

/** Reads `attributes:` of a project file that has the right shape. */
export function toKnownAttributes(root: MappingNode): KnownAttributes {
  const attributes = memberOf(root, "attributes")?.value
  if (attributes?.kind !== "mapping") return undefined
  return new Map(
    attributes.members.map(({ name, value }) => {
      const written = toValue(value) as {
        readonly type?: AttributeType
        readonly description?: string
        readonly values?: readonly string[]
      } | null
      const { type, description = "", values } = written ?? {}
      const known = type === "boolean" ? ["true", "false"] : values && [...new Set(values)]
      return [name, { name, type, description, values: known }]
    }),
  )
}

const texts = [
  ...["equals", "notEquals", "contains", "notContains", "startsWith", "endsWith", "matches", "notMatches"],
  ...["in", "notIn"],
]
const same = ["equals", "notEquals", "in", "notIn"]
const present = ["exists", "notExists"]

/** Whether an operator works on an attribute. */
export function fitsType({ type }: Pick<KnownAttribute, "type">, operator: string): boolean {
  return type === undefined || operatorsOfType[type].includes(operator)
}

/** The operators that fit each type. A moment can be written in many ways, and a list cannot be hashed into a share. */
export const operatorsOfType: Readonly<Record<AttributeType, readonly string[]>> = {
  text: [...texts, ...present, "percentage"],
  number: [
    ...same,
    ...["greaterThan", "greaterThanOrEquals", "lessThan", "lessThanOrEquals"],
    ...present,
    "percentage",
  ],
  boolean: [...same, ...present],
  version: [
    ...same,
    ...["semverEquals", "semverNotEquals", "semverGreaterThan", "semverGreaterThanOrEquals"],
    ...["semverLessThan", "semverLessThanOrEquals"],
    ...present,
  ],
  moment: ["before", "beforeOrEquals", "after", "afterOrEquals", ...present],
  list: [...texts, ...present],
}
