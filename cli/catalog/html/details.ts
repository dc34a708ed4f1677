import { valueWords } from "../../phrases/people.ts"
import type { CatalogCell, CatalogFlag } from "../model/catalog-flag.ts"
import { shown } from "../shown.ts"
import { html, type Markup, sentence } from "./markup.ts"

/**
 * One flag: what it is for, its file, and who gets what, environment by environment. What else is known of it (history,
 * witnesses, the entry that SDKs get) is in the page's data, and the script adds it where the flag is opened or printed.
 */
export function details({ flag, path, cells }: CatalogFlag, environments: readonly string[]): Markup {
  return html`<article id="flag=${flag.key}"><h2>${flag.key}</h2><p>${shown(flag.description)}<p>${shown(path)}<dl>${cells.map((cell, at) => side(cell, environments[at] ?? "", flag.defaultValue))}</dl></article>
`
}

function side(
  cell: CatalogCell,
  environment: string,
  defaultValue: CatalogFlag["flag"]["defaultValue"],
): Markup {
  return html`<div class=${cell.state}><dt>${environment}<dd>${whoGetsWhat(cell, sentence(valueWords(defaultValue)))}</div>`
}

function whoGetsWhat({ configuration, rules, otherwise }: CatalogCell, value: Markup): Markup {
  const isOff = configuration?.enabled === false
  const list = rules.map(({ words, isReached }) => {
    return html`<li>${sentence(words)}${isReached || isOff ? "" : html` <em>(reaches nobody)</em>`}`
  })
  if (configuration === null) return html`not configured: everyone gets ${value}`
  if (isOff) {
    const idle = rules.length === 0 ? "" : html`; when on:<ol class=idle>${list}</ol>`
    return html`off: everyone gets ${value}${idle}`
  }
  const [first] = configuration.rules
  if (first === undefined) return html`everyone gets ${value}`
  if (first.operator === "always" && rules.length === 1) return sentence(rules[0]?.words ?? [])
  return html`<ol>${list}${otherwise.isReached ? html`<li>everyone else gets ${value}` : ""}</ol>`
}
