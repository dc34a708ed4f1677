// The building blocks of the schemas of flag files, segment files and project files.

/** A member's schema, with the description that editors show, and examples unless it has its own. */
export function member(schema: object, description: string, ...examples: readonly unknown[]) {
  return { ...(examples.length === 0 ? {} : { examples }), ...schema, description }
}

/** Any string. */
export const text = { type: "string" } as const
/** A string that is not empty. */
export const filled = { type: "string", minLength: 1 } as const

/** The id of something, which its author can set. */
export function id(of: string) {
  const schema = { type: "string", minLength: 1, maxLength: 300 }
  return member(schema, `The id of ${of} on the wire. By default, a stable one is generated.`, "abc-123")
}

/** A mapping with these members and no others. */
export function mapping(properties: Record<string, object>, required: readonly string[] = []) {
  return { type: "object", properties, required, additionalProperties: false }
}
