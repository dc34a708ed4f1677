import { compareText } from "../../diagnostics/diagnostic.ts"
import type { Catalog } from "../model/catalog.ts"
import type { CellState } from "../page/page-data.ts"
import { shown } from "../page/shown.ts"
import { html, type Markup } from "./markup.ts"

/** The questions, the filters and the context box. They need the script, and are hidden without it. */
export function controls({ environments, attributes, flags }: Catalog): Markup {
  const owners = namesOf(flags.map(({ owner }) => owner))
  const tags = namesOf(flags.flatMap(({ tags }) => tags))
  return html`<nav id="questions" class="live" aria-label="Questions"></nav>
<p id="meaning" class="live" role="status"></p>
<form id="filter" class="live" role="search" aria-label="Search and filter">
<label>Search <input type="search" name="q" autocomplete="off" spellcheck="false"></label>
${select("owner", "Owner", owners)}
${select("tag", "Tag", tags)}
${select(
  "environment",
  "Environment",
  environments.map(({ name }) => name),
)}
${select("state", "State", [...stateWords.keys()], stateWords)}
<output id="count"></output>
<a href="#">Show all</a>
</form>
<details id="try" class="live"><summary>Try it: what would this user get?</summary>
<form aria-label="Context">
${attributes.map(({ name, description, values, type }) => {
  const hint = description === "" ? "" : html` <small>${shown(description)}</small>`
  return values === undefined
    ? html`<label>${shown(name)}${hint} <input data-attribute="${name}" data-type="${type ?? ""}" autocomplete="off"></label>
`
    : html`<label>${shown(name)}${hint} <select data-attribute="${name}" data-type="${type ?? ""}"><option value="">any</option>${values.map((value) => html`<option value="${value}">${shown(value)}</option>`)}</select></label>
`
})}<label>Context as JSON <textarea name="context" rows="2" spellcheck="false"></textarea></label>
<p id="fault" role="alert"></p>
<p class="buttons"><button>Evaluate</button> <button type="reset">Clear</button></p>
</form></details>`
}

const stateWords: ReadonlyMap<CellState, string> = new Map([
  ["none", "not configured"],
  ["off", "off for all"],
  ["on", "on for all"],
  ["value", "one value for all"],
  ["share", "for a share of users"],
  ["rules", "by rules"],
])

function select(
  name: string,
  label: string,
  values: readonly string[],
  words: ReadonlyMap<string, string> = new Map(),
): Markup {
  return html`<label>${label} <select name="${name}"><option value="">any</option>${values.map((value) => html`<option value="${value}">${words.get(value) ?? shown(value)}</option>`)}</select></label>`
}

function namesOf(names: readonly string[]): readonly string[] {
  return [...new Set(names)].filter((name) => name !== "").sort(compareText)
}
