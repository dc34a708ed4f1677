/**
 * An inverted index of a document's lists of texts: for each text, the lists that have it. Lists repeat the same texts,
 * such as countries, so this is smaller than a set for each list, and most texts are in none.
 */
export interface TextLists {
  /** Adds the list in a JSON array of strings, with `fold` applied to each; `undefined` if it is not such an array. */
  add(json: string, fold?: (text: string) => string): TextList | undefined
}

/** One list of a document. */
export interface TextList {
  readonly listsOf: ReadonlyMap<string, ReadonlySet<number>>
  readonly id: number
}

export function createTextLists(): TextLists {
  const listsOf = new Map<string, Set<number>>()
  let count = 0
  return {
    add(json, fold) {
      const written = parseTexts(json)
      const texts = fold ? written?.map(fold) : written
      if (texts === undefined) return undefined
      const id = count++
      for (const text of texts) {
        const lists = listsOf.get(text)
        if (lists === undefined) listsOf.set(text, new Set([id]))
        else lists.add(id)
      }
      return { listsOf, id }
    },
  }
}

/** Whether a list has a text. */
export function isInList(text: string, { listsOf, id }: TextList): boolean {
  return listsOf.get(text)?.has(id) === true
}

/** The elements of a JSON array of strings; `undefined` if it is not such an array. */
export function parseTexts(json: string): readonly string[] | undefined {
  try {
    const list: unknown = JSON.parse(json)
    return Array.isArray(list) && list.every((item) => typeof item === "string") ? list : undefined
  } catch {
    return undefined
  }
}
