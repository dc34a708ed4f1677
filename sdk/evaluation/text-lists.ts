/** The texts of a JSON array of texts, each through `fold`; `undefined` if it is not one. */
export function parseTextSet(json: string, fold?: (text: string) => string): ReadonlySet<string> | undefined {
  const texts = parseTexts(json)
  return texts && new Set(fold ? texts.map(fold) : texts)
}

/** The texts of a JSON array of texts; `undefined` if it is not one. */
export function parseTexts(json: string): readonly string[] | undefined {
  try {
    const list: unknown = JSON.parse(json)
    return Array.isArray(list) && list.every((item) => typeof item === "string") ? list : undefined
  } catch {
    return undefined
  }
}
