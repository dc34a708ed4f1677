import { relative } from "node:path"
import { type Diagnostic, sortDiagnostics } from "../../diagnostics/diagnostic.ts"
import { plural } from "../../diagnostics/format-text.ts"
import { positionOf } from "../../diagnostics/position.ts"
import { type Phrase, phrase, visible } from "../../phrases/phrase.ts"
import type { AddressOf } from "./addresses.ts"
import { type ComparedRevisions, overviewOf, type Row, sidesWords } from "./overview.ts"
import { replayRows, replaySummary } from "./replay-rows.ts"
import type { RiskyFlag } from "./risks.ts"

/** The first line of every comment. A workflow finds by it the comment to replace. */
const marker = "<!-- flagstone-diff -->"

/** GitHub refuses a longer comment. It counts characters, of which there are never more than bytes. */
const maxBytes = 65_536

/**
 * The diff as a comment on a pull request, at most `maxBytes` of UTF-8. It is HTML: in an HTML block without empty lines
 * nothing is Markdown, and in `<code>` GitHub makes no mention, reference or link. So every foreign text is in `<code>`,
 * on one line, with HTML's five characters escaped; all other text is ours.
 */
export function formatMarkdown(compared: ComparedRevisions): string {
  const { diff, replay, cwd, addressOf } = compared
  const { summary, risks, segments, environments, idle, people, notCompared } = overviewOf(diff)
  const top = [
    marker,
    `<p><b>Flags:</b> ${html(summary)}.</p>`,
    `<p>${html(sidesWords(compared))}</p>`,
    ...(replay === undefined ? [] : [`<p>${html(replaySummary(replay))}.</p>`]),
  ]
  // More people read a comment than the file of contexts, so it names only the lines.
  const replayed = replay === undefined ? [] : replayRows(replay, false)
  const row = createRow(addressOf)
  const warnings = table(
    `<h3>Warnings</h3>`,
    ["Location", "Code", "Warning"],
    [
      ...sortDiagnostics(diff.warnings).map((warning) => warningRow(warning, cwd)),
      ...sortDiagnostics(diff.accepted ?? []).map((warning) => warningRow(warning, cwd, " (accepted)")),
    ],
  )
  const changes = environments.map(({ environment, rows }) =>
    table(
      `<h3>${html(phrase`${environment.name}`)}${environment.protected ? " (protected)" : ""}</h3>`,
      ["Flag", "Change", "Who is affected"],
      rows.map(row),
    ),
  )
  const byRisk = risks.map(({ title, flags }) =>
    table(
      `<h3>${plural(flags.length, "flag")} ${title}</h3>`,
      ["Flag", "Owner", "Where"],
      flags.map((flag) => riskRow(flag, addressOf)),
    ),
  )
  const contexts = table("<h3>Contexts</h3>", ["Flag", "Contexts", "Such as"], replayed.map(row))
  const sections: readonly Section[] = [
    table("<h3>Segments</h3>", ["Segment", "Change", "What it reaches"], segments.map(row)),
    ...(risks.length > 0 ? [...byRisk, warnings, contexts, ...changes] : [...changes, contexts, warnings]),
    table("<h3>Not compared</h3>", ["Flag", "Why", ""], notCompared.map(row)),
    folded("No effect on values", idle.map(row)),
    folded("For people only", people.map(row)),
  ]
  return fill(
    top,
    sections.filter(({ rows }) => rows.length > 0),
  )
}

interface Section {
  readonly open: string
  readonly rows: readonly string[]
  readonly close: string
}

function table(heading: string, columns: readonly string[], rows: readonly string[], end = ""): Section {
  const head = columns.map((column) => `<th>${column}</th>`).join("")
  return { open: `${heading}<table><tr>${head}</tr>\n`, rows, close: `</table>${end}\n` }
}

function folded(title: string, rows: readonly string[]): Section {
  const summary = `<details><summary>${title} (${rows.length})</summary>`
  return table(summary, ["Flag", "Change", "Why"], rows, "</details>")
}

/** As many rows as there is room for, in the order of importance, and the number of those left out. */
function fill(top: readonly string[], sections: readonly Section[]): string {
  const parts = [`${top.join("\n")}\n`]
  let room = maxBytes - size(parts[0] ?? "") - size(leftOut(Number.MAX_SAFE_INTEGER))
  let left = 0
  for (const { open, rows, close } of sections) {
    const frame = size(open) + size(close) + size(moreRow(rows.length))
    let shown = 0
    if (frame < room) {
      room -= frame
      while (shown < rows.length && size(rows[shown] ?? "") <= room) room -= size(rows[shown++] ?? "")
    }
    if (shown === 0) left += rows.length
    else {
      const more = rows.length - shown
      parts.push(open, ...rows.slice(0, shown), more > 0 ? moreRow(more) : "", close)
    }
  }
  if (left > 0) parts.push(leftOut(left))
  return parts.join("")
}

function moreRow(count: number): string {
  return `<tr><td colspan="3">and ${count} more</td></tr>\n`
}

function leftOut(count: number): string {
  return `<p>and ${count} more that do not fit here</p>\n`
}

function size(text: string): number {
  return Buffer.byteLength(text)
}

function createRow(addressOf: AddressOf): (row: Row) => string {
  return ({ subject, what, who, change }) =>
    cells(linked(subject, change && addressOf(change)), html(what), who.map(html).join("<br>"))
}

function riskRow({ key, change, what }: RiskyFlag, addressOf: AddressOf): string {
  const { owner } = change
  return cells(
    linked(phrase`${key}`, addressOf(change)),
    owner === undefined ? "" : html(phrase`${owner}`),
    html(what),
  )
}

function linked(subject: Phrase, address: string | undefined): string {
  return address === undefined ? html(subject) : `<a href="${escapeHtml(address)}">${html(subject)}</a>`
}

function cells(...texts: readonly string[]): string {
  return `<tr>${texts.map((text) => `<td>${text}</td>`).join("")}</tr>\n`
}

function warningRow({ location, code, message }: Diagnostic, cwd: string, note = ""): string {
  const { line } = positionOf(location.source, location.span.start)
  const where = phrase`${`${relative(cwd, location.source.path)}:${line}`}`
  // The only foreign texts in warnings are keys and names. They are in code marks, which they cannot contain.
  const words = message.split("`").map((part, at) => (at % 2 === 1 ? { foreign: part } : part))
  return cells(html(where), html(phrase`${code}${[note]}`), html(words))
}

function html(parts: Phrase): string {
  return parts
    .map((part) =>
      typeof part === "string" ? escapeHtml(part) : `<code>${escapeHtml(visible(part.foreign))}</code>`,
    )
    .join("")
}

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? character)
}
