import type { DescribedChange } from "../history/described-commit.ts"
import type { Catalog, CatalogCell, CatalogFlag } from "../model/catalog.ts"
import { shown } from "../page/shown.ts"
import { brokenKey, html, type Markup, sentence, trusted } from "./markup.ts"

/**
 * The flags × environments, in tables of 50 rows each: browsers lay out only visible ones (`content-visibility`, which
 * works on sections, not rows). Each table has its own headings for screen readers; sighted users see one set above
 * all.
 */
export function matrix(catalog: Catalog): Markup {
  const { environments, live, flags, branch } = catalog
  const columns = trusted(
    `<colgroup><col class="k">${'<col class="e">'.repeat(environments.length)}<col class="x"><col class="o"><col class="g"><col class="t"><col class="c"></colgroup>`,
  )
  const heads = headsOf(catalog)
  const changes = new Map(branch?.changes.map(({ flag, kind }) => [flag, kind]))
  const head = html`<thead><tr>${heads.map(({ text }) => html`<th scope="col">${text}</th>`)}</tr></thead>`
  const sorting = heads.map(({ text, column }) => html`<th scope="col" data-column="${column}">${text}</th>`)
  const chunks = chunksOf(flags).map(
    (flags) => html`<section class="chunk"><table>${columns}${head}<tbody>
${flags.map((flag) => row(flag, changes.get(flag.flag.key)))}</tbody></table></section>
`,
  )
  return html`<p class="legend">Each cell shows what users get and since when. ≠ marks what differs from ${environments[live]?.name ?? ""}.</p>
<section id="matrix" aria-label="Matrix">
<table class="heads">${columns}<thead><tr>${sorting}</tr></thead></table>
${chunks}<p id="nothing" hidden>No flag matches.</p>
</section>`
}

/** Rows per table. */
const rowsInChunk = 50

function chunksOf(flags: readonly CatalogFlag[]): readonly (readonly CatalogFlag[])[] {
  return Array.from({ length: Math.ceil(flags.length / rowsInChunk) }, (_, at) =>
    flags.slice(at * rowsInChunk, (at + 1) * rowsInChunk),
  )
}

function headsOf({ environments }: Catalog) {
  return [
    { text: "Flag", column: "flag" },
    ...environments.map(({ name }, at) => ({ text: name, column: `${at}` })),
    { text: "Expires", column: "expires" },
    { text: "Owner", column: "owner" },
    { text: "Tags", column: "tags" },
    { text: "Type", column: "type" },
    { text: "Since", column: "since" },
  ]
}

function row(
  { flag, owner, tags, expires, cells }: CatalogFlag,
  change: DescribedChange["kind"] | undefined,
): Markup {
  const mark = change === undefined ? "" : html` <em>${change === "added" ? "new" : "changed"}</em>`
  const name = flag.name === flag.key ? "" : html`<small>${shown(flag.name)}</small>`
  return html`<tr><th><a href="#flag=${flag.key}">${brokenKey(flag.key)}</a>${mark}${name}${cells.map(cell)}<td>${shown(expires)}<td>${shown(owner)}<td>${shown(tags.join(", "))}<td>${flag.type}<td>${flag.createdAt.slice(0, 10)}
`
}

function cell({ configuration, state, words, differs }: CatalogCell): Markup {
  const since = configuration === null ? "" : html`<time>${configuration.updatedAt.slice(0, 10)}</time>`
  return html`<td class=${state}>${differs ? "≠ " : ""}${sentence(words)}${since}`
}
