import { conditionProperties, type EditorKeywords, type MappingSchema, type Vocabulary } from "./schema.ts"
import { filled, mapping, member, text } from "./schema-parts.ts"

/** The schema of a list of mappings. */
interface ListSchema {
  readonly items: MappingSchema
  readonly definitions: { readonly condition: MappingSchema }
}

/** The shape of an invariants file in this project. */
export function invariantsFileSchema(project: Vocabulary, keywords: EditorKeywords = {}): ListSchema {
  const environment = member(
    filled,
    "Another environment, in which the flag gives the value to the same user.",
    "staging",
  )
  const condition = { ...conditionProperties(project, keywords), in: environment }
  const reference = { $ref: "#/definitions/condition" }
  const invariant = mapping(
    {
      name: member(filled, "What holds for every user, as a sentence.", "No one in the EU is tracked"),
      environments: member(
        { type: "array", minItems: 1, items: text },
        "The environments in which it must hold; by default, all.",
        ["production"],
      ),
      never: member(reference, "What no user may fulfil.", { flag: "tracking" }),
      if: member(reference, "Whoever fulfils this must fulfil `then`, too.", { flag: "new-checkout" }),
      // biome-ignore lint/suspicious/noThenProperty: it is a field of the file
      then: member(reference, "What whoever fulfils `if` must fulfil.", { flag: "new-payments" }),
      atMostOne: member(
        { type: "array", minItems: 1, items: reference },
        "Conditions of which a user may fulfil at most one.",
        [{ flag: "green-button" }, { flag: "blue-button" }],
      ),
      unless: member(
        { enum: ["unknown"] },
        "Allows that it is not known whether it holds, as with regular expressions.",
        "unknown",
      ),
    },
    ["name"],
  )
  const list = { type: "array", items: invariant }
  return { ...list, definitions: { condition: { ...mapping(condition), ...keywords.condition } } }
}
