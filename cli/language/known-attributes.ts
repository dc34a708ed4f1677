import { shareOperator } from "./comparisons.ts"
import { type AttributeType, operators } from "./operators.ts"
import { type MappingNode, memberOf, toValue } from "./tree.ts"

/** An attribute of evaluation contexts, as the project file declares it. */
export interface KnownAttribute {
  readonly name: string
  /** `undefined`: any. */
  readonly type: AttributeType | undefined
  readonly description: string
  /** The only values that the attribute can have; `undefined`: any. */
  readonly values: readonly string[] | undefined
}

/** The attributes of the project by name; `undefined` if there are none. */
export type KnownAttributes = ReadonlyMap<string, KnownAttribute> | undefined

/** What `attributes:` of a project file that has the right shape lists; `undefined` if it lists none, so that any name is allowed. */
export function toKnownAttributes(root: MappingNode): KnownAttributes {
  const attributes = memberOf(root, "attributes")?.value
  if (attributes?.kind !== "mapping") return undefined
  return new Map<string, KnownAttribute>(
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

/** The listed attributes with the project's clock, which is a moment. */
export function withClock(listed: KnownAttributes, clock: string | undefined): KnownAttributes {
  if (clock === undefined) return listed
  const { description = "", values } = listed?.get(clock) ?? {}
  return new Map(listed).set(clock, { name: clock, type: "moment", description, values })
}

/** Whether an operator works on an attribute. */
export function fitsType({ type }: Pick<KnownAttribute, "type">, operator: string): boolean {
  return type === undefined || operators.get(operator)?.types.includes(type) === true
}

/** The operators that work on attributes of a type, without the one that is now written as `share`. */
export function operatorsOfType(type: AttributeType): readonly string[] {
  return [...operators].flatMap(([name, { types }]) =>
    types.includes(type) && name !== shareOperator ? [name] : [],
  )
}
