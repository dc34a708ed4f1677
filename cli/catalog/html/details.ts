import { valueWords } from "../../phrases/people.ts"
import { phrase } from "../../phrases/phrase.ts"
import type { Catalog, CatalogCell, CatalogFlag } from "../model/catalog.ts"
import { html, type Markup, sentence } from "./markup.ts"
import { shown } from "./matrix.ts"

/**
 * One flag: what it is for, and who gets what, environment by environment. What else is known of it (history, witnesses,
 * the entry that SDKs get) is in the page's data, and the script adds it where the flag is opened or printed.
 */
export function details({ flag, path, cells }: CatalogFlag, { environments, links }: Catalog): Markup {
  const file =
    links.files === undefined
      ? html`<code>${shown(path)}</code>`
      : html`<a href="${links.files}${encodeURI(path)}"><code>${shown(path)}</code></a>`
  return html`<article id="flag=${flag.key}"><h2>${flag.key}</h2>${flag.description === "" ? "" : html`<p>${shown(flag.description)}`}<p>${file}<div class="sides">${cells.map((cell, at) => side(cell, environments[at]?.name ?? "", flag.defaultValue))}</div></article>
`
}

function side(
  cell: CatalogCell,
  environment: string,
  defaultValue: CatalogFlag["flag"]["defaultValue"],
): Markup {
  const { configuration, rules, state } = cell
  const value = valueWords(defaultValue)
  const idle = rules.length > 0 && configuration?.enabled === false
  const reason = configuration === null ? "not configured" : configuration.enabled ? "" : "off"
  const everyone = phrase`everyone gets ${value}`
  const list = rules.map(({ words, isReached }) => {
    const never = isReached || idle ? "" : html` <em>(reaches nobody)</em>`
    return html`<li>${sentence(words)}${never}`
  })
  const otherwise =
    cell.otherwise.isReached && rules.length > 0 ? html`<li>everyone else gets ${sentence(value)}` : ""
  const body =
    reason !== ""
      ? html`<p>${reason}: ${sentence(everyone)}${idle ? html`<details><summary>${rules.length === 1 ? "its rule" : "its rules"} when on</summary><ol>${list}</ol></details>` : ""}`
      : rules.length === 0
        ? html`<p>${sentence(everyone)}`
        : html`<ol>${list}${otherwise}</ol>`
  return html`<section class="${state}"><h3>${environment}</h3>${body}</section>`
}
