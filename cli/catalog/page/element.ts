import type { PageSentence } from "./page-data.ts"

/** Makes an element of texts and other elements. Texts stay texts. */
export function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  properties: Partial<HTMLElementTagNameMap[Name]> = {},
  ...children: readonly (Node | string)[]
): HTMLElementTagNameMap[Name] {
  const made = Object.assign(document.createElement(name), properties)
  made.append(...children)
  return made
}

/** The nodes of a sentence: foreign texts in code marks. */
export function sentenceNodes(parts: PageSentence): readonly (Node | string)[] {
  return parts.map((part, at) => (at % 2 === 0 ? part : element("code", {}, part)))
}

/** The element of an id that the page has. */
export function byId(id: string): HTMLElement {
  const found = document.getElementById(id)
  if (found === null) throw new Error(`the page has no #${id}`)
  return found
}
