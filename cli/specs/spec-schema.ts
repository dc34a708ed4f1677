const text = { type: "string", minLength: 1 }
const object = { type: "object" }

function mapping(properties: Readonly<Record<string, object>>, required: readonly string[] = []): object {
  return { type: "object", properties, required, additionalProperties: false }
}

/** The members of the long form of `expect`. */
export const expectMembers = ["value", "rule", "cause"] as const

/** The shape of a spec file. `readSpec` checks what no schema can express. */
export const specFileSchema: object = mapping(
  {
    flag: text,
    cases: {
      type: "array",
      items: mapping({
        name: text,
        environment: text,
        context: object,
        matrix: object,
        expect: {},
        share: mapping({ by: text, of: {}, value: {}, is: {} }, ["by", "value", "is"]),
      }),
    },
  },
  ["flag", "cases"],
)
