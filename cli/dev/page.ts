import { hash } from "node:crypto"
import type { H3Event } from "h3"
import { evaluatePath } from "../../proxy/contract/http.ts"
import type { Page } from "../../proxy/http/respond.ts"
import type { RunKey } from "./run-keys.ts"

/** What the page shows. */
export interface PageContent {
  readonly project: string
  /** Such as `13 flags in 3 environments`. */
  readonly size: string
  /** Where the flags are served. */
  readonly url: string
  readonly keys: readonly RunKey[]
}

/** The command that reads an environment's flags. */
export function curlLine(secret: string, url: string): string {
  return `curl -H "Authorization: Bearer ${secret}" ${url}/v1/flags`
}

/** The command that evaluates an environment's flags. */
function evaluateLine(secret: string, url: string): string {
  return `curl -H "Authorization: Bearer ${secret}" -d '{"context":{}}' ${url}${evaluatePath}`
}

/** The path of the page with the commands. */
export const commandsPath = "/commands"

/** Creates that page: two commands for each environment. It has no scripts, loads nothing, and cannot be framed. */
export function createPage(content: PageContent): Page {
  const policy = `default-src 'none'; style-src 'sha256-${hash("sha256", style, "base64")}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`
  return { body: Buffer.from(formatPage(content)), headers: pageHeaders(policy) }
}

/** The headers of a page that only this machine may read. */
export function pageHeaders(contentSecurityPolicy: string): Page["headers"] {
  return [
    ["content-type", "text/html; charset=utf-8"],
    ["cache-control", "no-store"],
    ["content-security-policy", contentSecurityPolicy],
    ["cross-origin-resource-policy", "same-origin"],
    ["referrer-policy", "no-referrer"],
    ["x-content-type-options", "nosniff"],
  ]
}

/**
 * Whether a client may read the pages, which show API keys and rules: it must be on this machine and use this machine's
 * name. Otherwise any web page could read them by pointing its own name here (DNS rebinding).
 */
export function mayReadPage({ req: { ip = "", headers } }: H3Event, host: string): boolean {
  const name = (headers.get("host") ?? "").replace(/:\d*$/, "").replace(/^\[(.*)\]$/, "$1")
  return (
    (ip === host || /^(::ffff:)?127\.|^::1$/.test(ip)) &&
    [host, "localhost", "127.0.0.1", "::1"].includes(name)
  )
}

function formatPage({ project, size, url, keys }: PageContent): string {
  const commands = keys.map(
    ({ environment, secret }) =>
      `<h2>${escapeHtml(environment)}</h2>\n<pre>${escapeHtml(curlLine(secret, url))}\n${escapeHtml(evaluateLine(secret, url))}</pre>\n`,
  )
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${escapeHtml(project)}: flagstone dev</title>
<style>${style}</style>
<h1>${escapeHtml(project)}</h1>
<p><a href="/">Every flag</a></p>
<p>${escapeHtml(size)}, served until Ctrl-C. The first command for an environment reads
all its flags with their rules; the second has them evaluated for a context, as OpenFeature clients do (OFREP).
Add <code>/&lt;key&gt;</code> for one flag.</p>
${commands.join("")}</html>
`
}

const style =
  "body{font:1em/1.5 system-ui,sans-serif;max-width:60em;margin:2em auto;padding:0 1em;color-scheme:light dark}" +
  "h2{font-size:1em;margin:1.5em 0 0}pre{white-space:pre-wrap;overflow-wrap:anywhere;margin:0}"

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}
