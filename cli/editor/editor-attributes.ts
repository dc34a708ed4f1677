import { shareOperator } from "../language/comparisons.ts"
import { fitsType, type KnownAttribute, type KnownAttributes } from "../language/known-attributes.ts"
import { operators } from "../language/operators.ts"
import { type EditorKeywords, operandExamples } from "../reading/grammar/schema.ts"
import { when } from "./conditional-schema.ts"
import { attributeDescriptions } from "./editor-words.ts"

/** Offers the attributes that the project file lists. */
export function attributeKeywords(attributes: KnownAttributes): EditorKeywords {
  if (attributes === undefined) return {}
  const known = [...attributes.values()]
  const splitting = known.filter((attribute) => fitsType(attribute, shareOperator))
  return {
    attribute: attributeDescriptions(known),
    by: attributeDescriptions(splitting),
    // The forms below list the values.
    ...(known.some(isClosed) && { value: { examples: [] } }),
  }
}

/** The forms of conditions about the project file's attributes. */
export function attributeForms(attributes: KnownAttributes): readonly object[] {
  const known = [...(attributes?.values() ?? [])]
  const closed = known.filter(isClosed).map(({ name }) => name)
  return [...known.flatMap(formsOf), ...(closed.length === 0 ? [] : [otherValues(closed)])]
}

function isClosed({ values }: KnownAttribute): boolean {
  return values !== undefined
}

/** Examples of values for attributes whose values are not listed. */
function otherValues(closed: readonly string[]): object {
  const isListed = { properties: { attribute: { enum: closed } }, required: ["attribute"] }
  return when({ not: isListed }, { properties: { value: { examples: operandExamples } } })
}

function formsOf(known: KnownAttribute): readonly object[] {
  const attribute = { const: known.name }
  // The operators that only this project's SDKs support fit every type.
  const refused = [...operators].flatMap(([name, { takesAttribute }]) =>
    takesAttribute && !fitsType(known, name) ? [name] : [],
  )
  const isKnown = { properties: { attribute }, required: ["attribute"] }
  const fitting = when(isKnown, { properties: { operator: { not: { enum: refused } } } })
  const comparedBy = (names: readonly string[], value: object) =>
    when(
      { properties: { attribute, operator: { enum: names } }, required: ["attribute", "operator"] },
      { properties: { value } },
    )
  const text = { type: "string", enum: known.values }
  const values = [comparedBy(onTexts(false), text), comparedBy(onTexts(true), { items: text })]
  return [...(refused.length === 0 ? [] : [fitting]), ...(isClosed(known) ? values : [])]
}

/** The operators that compare whole texts with one text, or with a list of them. */
function onTexts(isList: boolean): readonly string[] {
  return [...operators].flatMap(([name, { question }]) =>
    question.kind === "texts" && question.isList === isList ? [name] : [],
  )
}
