/** A JSON Schema that applies if a value fits another. */
export function when(condition: object, consequence: object): object {
  // biome-ignore lint/suspicious/noThenProperty: it is JSON Schema's keyword
  return { if: condition, then: consequence }
}
