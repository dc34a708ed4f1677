import type { FlagPart, Piece } from "../flags/flag-part.ts"
import type { Catalog } from "../model/catalog.ts"
import { html, trusted } from "./markup.ts"

/**
 * The flags × environments, in tables of 50 rows each: a browser lays out only those in sight (`content-visibility`,
 * which acts on sections and not on rows). Each has its own heads for readers of screens; the one in sight is the first.
 */
export function matrix(catalog: Catalog): readonly Piece[] {
  const columns = trusted(
    `<colgroup><col class="k">${'<col class="e">'.repeat(catalog.environments.length)}<col class="x"><col class="o"><col class="g"><col class="t"><col class="c"></colgroup>`,
  )
  const heads = headsOf(catalog)
  const head = html`<thead><tr>${heads.map(({ text }) => html`<th scope="col">${text}</th>`)}</tr></thead>`
  const sorting = heads.map(({ text, column }) => html`<th scope="col" data-column="${column}">${text}</th>`)
  const start = html`<p class="legend">≠: it differs from the environment before it. Dates: its last change there.</p>
<section id="matrix" aria-label="Matrix" tabindex="0">
<table class="heads">${columns}<thead><tr>${sorting}</tr></thead></table>
`
  const chunk = html`<section class="chunk"><table>${columns}${head}<tbody>
`
  return [
    start,
    ...chunksOf(catalog.flags).flatMap((flags) => [
      chunk,
      ...flags.map(({ row }) => row),
      trusted("</tbody></table></section>\n"),
    ]),
    trusted('<p id="nothing" hidden>No flag is like that.</p>\n</section>'),
  ]
}

/** Rows of one table. */
const rowsInChunk = 50

function chunksOf(flags: readonly FlagPart[]): readonly (readonly FlagPart[])[] {
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
