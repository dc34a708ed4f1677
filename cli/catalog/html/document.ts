import { hash } from "node:crypto"
import { plural } from "../../diagnostics/plural.ts"
import type { Catalog } from "../model/catalog.ts"
import { branchSection } from "./branch-section.ts"
import { controls } from "./controls.ts"
import { details } from "./details.ts"
import { html, jsonBlock, trusted } from "./markup.ts"
import { matrix } from "./matrix.ts"
import { pageData } from "./page-data.ts"
import { styleOf } from "./style.ts"

/** What the page contains besides the catalogue. */
export interface DocumentParts {
  /** The page's script. */
  readonly script: string
  /** Links to related pages. */
  readonly links: readonly PageLink[]
}

export interface PageLink {
  readonly text: string
  readonly href: string
}

/** The catalogue as one HTML file that loads nothing. The same catalogue and script give the same bytes. */
export function formatDocument(catalog: Catalog, { script, links }: DocumentParts): Buffer {
  const { project, revision, asOf, flags } = catalog
  const style = styleOf(catalog.environments.length)
  const page = html`<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policyOf(script, style)}">
<meta name="viewport" content="width=device-width">
<meta name="referrer" content="no-referrer">
<meta name="color-scheme" content="light dark">
<link rel="icon" href="data:,">
<title>${project}: feature flags</title>
<style>${trusted(style)}</style>
<script>${trusted(script)}</script>
<body>
<header>
<h1>Feature flags in ${project}</h1>
<p>Every flag: what users get in each environment, since when, and why. ${plural(flags.length, "flag")} in ${plural(catalog.environments.length, "environment")}${revision === null ? "" : html`, as of ${commitLink(catalog, revision)}`}, <time datetime="${asOf}">${asOf.slice(0, 10)}</time>${links.map(({ text, href }) => html` · <a href="${href}">${text}</a>`)}</p>
</header>
<main>
${controls(catalog)}
${branchSection(catalog)}${matrix(catalog)}
<section id="details" aria-label="Details of each flag">
${flags.map(details)}
</section>
</main>
<script type="application/json" id="data">${jsonBlock(pageData(catalog))}</script>
</html>
`
  return Buffer.from(page.markup)
}
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
