import type { PageSentence } from "./page-data.ts"

/** Creates an element from strings and other nodes. Strings become text, never markup. */
export function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  properties: Partial<HTMLElementTagNameMap[Name]> = {},
  ...children: readonly (Node | string)[]
): HTMLElementTagNameMap[Name] {
  const made = Object.assign(document.createElement(name), properties)
  made.append(...children)
  return made
}

/** The nodes of a sentence, with untrusted text in code marks. */
export function sentenceNodes(parts: PageSentence): readonly (Node | string)[] {
  return parts.map((part, at) => (at % 2 === 0 ? part : element("code", {}, part)))
}

/** The element with an id. Throws if the page has none. */
export function byId(id: string): HTMLElement {
  const found = document.getElementById(id)
  if (found === null) throw new Error(`the page has no #${id}`)
  return found
}
