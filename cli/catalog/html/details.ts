import type { Json } from "../../../sdk/contract/snapshot.ts"
import { isAlways } from "../../../sdk/evaluation/operators.ts"
import { valueWords } from "../../diagnostics/phrase.ts"
import type { CatalogCell, CatalogFlag } from "../model/catalog.ts"
import { shown } from "../page/shown.ts"
import { brokenKey, html, type Markup, sentence } from "./markup.ts"

/**
 * One flag: its purpose, its file, and who gets what in each environment. The script adds the rest (history, witnesses,
 * what SDKs receive) from the page's data when the flag is opened.
 */
export function details({ flag, path, links = [], asks, askedBy, cells }: CatalogFlag): Markup {
  const sides = cells.map(
    (cell) =>
      html`<div class=${cell.state}><dt>${cell.environment}<dd>${answerOf(cell, flag.defaultValue)}</div>`,
  )
  const pages = links.map(({ title, url }) => html`<li><a href="${url}" rel="noreferrer">${shown(title)}</a>`)
  const others = [flagLinks("Depends on", asks), flagLinks("Needed by", askedBy)]
  const list = links.length === 0 ? "" : html`<ul class=links>${pages}</ul>`
  return html`<article id="flag=${flag.key}"><h2>${brokenKey(flag.key)}</h2><p>${shown(flag.description)}<p>${shown(path)}${list}${others}<dl>${sides}</dl></article>
`
}

/** Other flags that a flag depends on, or that depend on it. */
function flagLinks(words: string, keys: readonly string[]): Markup {
  if (keys.length === 0) return html``
  const links = keys.map((key, at) => html`${at === 0 ? "" : ", "}<a href="#flag=${key}">${key}</a>`)
  return html`<p>${words} ${links}`
}

function answerOf({ configuration, rules, otherwise }: CatalogCell, defaultValue: Json): Markup {
  const value = sentence(valueWords(defaultValue))
  if (configuration === null) return html`not configured: everyone gets ${value}`
  const isOff = !configuration.enabled
  const list = rules.map(({ words, isReached, rule }, at) => {
    const { number } = rule // the arms of a split have one number
    return html`<li${number === at + 1 ? "" : html` value=${number}`}>${sentence(words)}${isReached || isOff ? "" : html` <em>(no one reaches it)</em>`}`
  })
  if (isOff) {
    const idle = rules.length === 0 ? "" : html`; if enabled:<ol class=idle>${list}</ol>`
    return html`disabled: everyone gets ${value}${idle}`
  }
  const [first] = configuration.rules
  if (first === undefined) return html`everyone gets ${value}`
  if (isAlways(first.operator) && rules.length === 1) return sentence(rules[0]?.words ?? [])
  return html`<ol>${list}${otherwise.isReached ? html`<li>everyone else gets ${value}` : ""}</ol>`
}
