import type { CatalogCell, CatalogFlag } from "../model/catalog-flag.ts"
import { shown } from "../shown.ts"
import { html, type Markup, sentence } from "./markup.ts"

/** A flag's row of the matrix. */
export function row({ flag, owner, tags, expires, cells }: CatalogFlag): Markup {
  const name = flag.name === flag.key ? "" : html`<small>${shown(flag.name)}</small>`
  return html`<tr><th><a href="#flag=${flag.key}">${flag.key}</a>${name}${cells.map(cell)}<td>${shown(expires)}<td>${shown(owner)}<td>${shown(tags.join(", "))}<td>${flag.type}<td>${flag.createdAt.slice(0, 10)}
`
}

function cell({ meaning: { state, words }, differs, configured }: CatalogCell): Markup {
  const since = configured === undefined ? "" : html`<time>${configured.updatedAt.slice(0, 10)}</time>`
  return html`<td class=${state}>${differs ? "≠ " : ""}${sentence(words)}${since}`
}
