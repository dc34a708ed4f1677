import { valueWords } from "../../phrases/people.ts"
import type { CatalogFlag, CellMeaning } from "../model/catalog-flag.ts"
import { shown } from "../shown.ts"
import { html, type Markup, sentence } from "./markup.ts"

/**
 * Makes the function that writes one flag: what it is for, its file, and who gets what, environment by environment. What
 * else is known of it (history, witnesses, the entry that SDKs get) is in the page's data, and the script adds it where the
 * flag is opened or printed.
 */
export function createDetails(): (flag: CatalogFlag) => Markup {
  const known = new Map<CellMeaning, Markup>()
  const sideOf = (meaning: CellMeaning): Markup => {
    if (!meaning.isShared) return side(meaning)
    const markup = known.get(meaning) ?? side(meaning)
    known.set(meaning, markup)
    return markup
  }
  return ({
    flag,
    path,
    cells,
  }) => html`<article id="flag=${flag.key}"><h2>${flag.key}</h2><p>${shown(flag.description)}<p>${shown(path)}<dl>${cells.map(({ meaning }) => sideOf(meaning))}</dl></article>
`
}

function side(meaning: CellMeaning): Markup {
  return html`<div class=${meaning.state}><dt>${meaning.environment}<dd>${whoGetsWhat(meaning)}</div>`
}

function whoGetsWhat({ content, rules, otherwise, defaultValue }: CellMeaning): Markup {
  const value = sentence(valueWords(defaultValue))
  const isOff = content?.enabled === false
  const list = rules.map(({ words, isReached }) => {
    return html`<li>${sentence(words)}${isReached || isOff ? "" : html` <em>(reaches nobody)</em>`}`
  })
  if (content === undefined) return html`not configured: everyone gets ${value}`
  if (isOff) {
    const idle = rules.length === 0 ? "" : html`; when on:<ol class=idle>${list}</ol>`
    return html`off: everyone gets ${value}${idle}`
  }
  const [first] = content.rules
  if (first === undefined) return html`everyone gets ${value}`
  if (first.operator === "always" && rules.length === 1) return sentence(rules[0]?.words ?? [])
  return html`<ol>${list}${otherwise.isReached ? html`<li>everyone else gets ${value}` : ""}</ol>`
}
