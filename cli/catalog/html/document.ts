import { hash } from "node:crypto"
import type { PageLink } from "../catalog-request.ts"
import type { Piece } from "../flags/flag-part.ts"
import type { Catalog } from "../model/catalog.ts"
import type { PageData } from "../page-data.ts"
import { controls } from "./controls.ts"
import { html, jsonBlock, trusted } from "./markup.ts"
import { matrix } from "./matrix.ts"
import { plots } from "./plots.ts"
import { styleOf } from "./style.ts"

/** What the page has besides the catalogue. */
export interface DocumentParts {
  /** The page's script. */
  readonly script: string
  /** Links to pages beside this one. */
  readonly links?: readonly PageLink[]
}

/** The catalogue as one HTML file that loads nothing: same catalogue and script, same bytes. */
export function formatDocument(
  catalog: Catalog,
  data: PageData,
  { script, links = [] }: DocumentParts,
): Buffer {
  const { project, revision, asOf, flags } = catalog
  const style = styleOf(catalog.environments.length)
  const start = html`<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policyOf(script, style)}">
<meta name="viewport" content="width=device-width">
<meta name="referrer" content="no-referrer">
<meta name="color-scheme" content="light dark">
<link rel="icon" href="data:,">
<title>${project}: flags</title>
<style>${trusted(style)}</style>
<script>${trusted(script)}</script>
<body>
<header>
<h1>${project}</h1>
<p>${flags.length} flags in ${catalog.environments.length} environments${revision === null ? "" : html`, as of ${commitLink(catalog, revision)}`}, <time datetime="${asOf}">${asOf.slice(0, 10)}</time>${links.map(({ text, href }) => html` · <a href="${href}">${text}</a>`)}</p>
</header>
<main>
${controls(catalog, data)}
`
  const pictures = html`
<section id="plots" aria-label="Pictures">
${plots(catalog, data)}
</section>
<section id="details" aria-label="Details of each flag">
`
  const end = html`
</section>
</main>
<script type="application/json" id="data">${jsonBlock(data)}</script>
</html>
`
  const articles = flags.map(({ article }) => article)
  return joinPieces([start, ...matrix(catalog), pictures, ...articles, end])
}

/** In UTF-8. */
function joinPieces(pieces: readonly Piece[]): Buffer {
  const parts: Uint8Array[] = []
  let text = ""
  for (const piece of pieces) {
    const isText = "markup" in piece
    if (isText) text += piece.markup
    if (!isText || text.length > partLength) {
      if (text !== "") parts.push(Buffer.from(text))
      text = ""
    }
    if (!isText) parts.push(piece)
  }
  return Buffer.concat([...parts, Buffer.from(text)])
}

/** In characters. V8 would copy a text of megabytes several times before it is bytes. */
const partLength = 65_536

function commitLink({ links: { commits } }: Catalog, revision: string) {
  const short = revision.slice(0, 10)
  return commits === undefined
    ? html`<code>${short}</code>`
    : html`<a href="${commits}${revision}"><code>${short}</code></a>`
}

/** Nothing is loaded, and nothing inline runs but this script and this style. */
function policyOf(script: string, style: string): string {
  const digest = (text: string) => `'sha256-${hash("sha256", text, "base64")}'`
  return [
    "default-src 'none'",
    `script-src ${digest(script)}`,
    `style-src ${digest(style)}`,
    "img-src data:",
    "base-uri 'none'",
    "form-action 'none'",
    "require-trusted-types-for 'script'",
  ].join("; ")
}
