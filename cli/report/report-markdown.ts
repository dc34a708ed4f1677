import type { Diagnostic } from "../diagnostics/diagnostic.ts"
import { pathOf } from "../diagnostics/location.ts"
import { joinPhrases, type Phrase, phrase, sentence } from "../diagnostics/phrase.ts"
import { positionOf } from "../diagnostics/position.ts"
import { relativePath } from "../diagnostics/relative-path.ts"
import { code, markdown, tableRow } from "../phrases/markdown.ts"
import { groupDiagnostics } from "./group-diagnostics.ts"
import {
  type CommandReport,
  isEmpty,
  type Placed,
  type Printing,
  type Row,
  type Section,
  type TableSection,
} from "./report.ts"

/**
 * GitHub refuses comments and issues of more than 65,536 characters, which are never more than the bytes. A workflow may add
 * its own first lines.
 */
const maxBytes = 65_000

/**
 * A report as a comment, at most `maxBytes` of UTF-8: headings, lists and tables, which also read well as plain-text mail.
 * Every untrusted text is a code span on one line, with a longer fence than any in it, so that it has no mention,
 * reference, link or HTML. All other text is ours.
 */
export function reportMarkdown(
  report: Omit<CommandReport, "data">,
  { folder }: Pick<Printing, "folder">,
): string {
  const { title, summary, notes = [], sections, comment = {} } = report
  const { marker, label, link, end, nothing } = comment
  const shown = sections.filter((section) => !isEmpty(section))
  const begin = [
    ...(marker === undefined ? [] : [`${marker}\n`]),
    ...(label === undefined ? [] : [`**${label}:** `]),
  ]
  const top = [
    ...(summary === undefined ? [] : [`${markdown(summary)}.`]),
    ...(title === undefined ? [] : [markdown(title)]),
    ...(link === undefined ? [] : [`[${link.text}](<${link.address}>)`]),
    ...notes.map((note) => `${markdown(note)}.`),
    ...(nothing === undefined || shown.length > 0 ? [] : [nothing]),
  ]
  const head = `${begin.join("")}${top.join("\n\n")}`
  const bottom = end === undefined ? "" : `\n${markdown(end)}.\n`
  const filled = fill(
    head === "" ? "" : `${head}\n`,
    shown.map((section) => partOf(section, folder)),
    maxBytes - size(bottom),
  )
  return `${filled}${bottom}`.replace(/^\n/, "")
}

/** A section: its beginning, and as many of its items as there is room for. */
interface Part {
  readonly open: string
  readonly items: readonly Item[]
}

/** Whole lines, and how many flags or diagnostics they are about. */
interface Item {
  readonly text: string
  readonly count: number
}

function partOf(section: Section, folder: string): Part {
  const heading = section.heading === undefined ? "" : `\n### ${capital(markdown(section.heading))}\n`
  const open = `${heading}\n`
  switch (section.kind) {
    case "list":
      return { open, items: section.rows.flatMap(createItems(folder)) }
    case "table":
      return { open: `${open}${tableHead(section)}`, items: tableItems(section) }
    case "diagnostics":
      return {
        open,
        items: groupDiagnostics(section.diagnostics).flatMap((alike) => diagnosticItems(alike, folder)),
      }
  }
}

/** As many items as there is room for, in the order of importance, and the number of those left out. */
function fill(top: string, parts: readonly Part[], most: number): string {
  const texts = [top]
  let room = most - size(top) - size(leftOut(Number.MAX_SAFE_INTEGER))
  let left = 0
  for (const { open, items } of parts) {
    let free = room - size(open) - size(more(Number.MAX_SAFE_INTEGER))
    let shown = 0
    for (const { text } of items) {
      if (size(text) > free) break
      free -= size(text)
      shown++
    }
    const rest = items.slice(shown).reduce((sum, { count }) => sum + count, 0)
    if (shown === 0) left += rest
    else {
      room = free
      texts.push(open, ...items.slice(0, shown).map(({ text }) => text), rest > 0 ? more(rest) : "")
    }
  }
  if (left > 0) texts.push(leftOut(left))
  return texts.join("")
}

function more(count: number): string {
  return `\nand ${count} more\n`
}

function leftOut(count: number): string {
  return `\nand ${count} more that do not fit here\n`
}

function size(text: string): number {
  return Buffer.byteLength(text)
}

/** How many flags of a row, or places with the same message, are on one line. */
const textsOnLine = 20

/** A row, a list of what it is about if that is many, and its rows. */
function createItems(folder: string, indent = ""): (row: Row) => readonly Item[] {
  return ({ subject, what, notes = [], placed = [], rows = [] }) => {
    const [only, ...others] = placed
    const isOne = only !== undefined && others.length === 0
    const title = isOne ? linked(subject, only.address) : markdown(subject)
    const place = isOne ? ` (${markdown(placeWords(only, folder))})` : ""
    const lines = [
      what === undefined ? `- ${title}${place}` : `- **${title}**${place}: ${markdown(what)}`,
      ...notes.map((note) => `  - ${markdown(note)}`),
    ]
    const items = others.length === 0 ? [] : placedItems(placed, folder, indent)
    return [
      { text: lines.map((line) => `${indent}${line}\n`).join(""), count: items.length === 0 ? 1 : 0 },
      ...items,
      ...rows.flatMap(createItems(folder, `${indent}  `)),
    ]
  }
}

/** Many subjects with their files, by owner. */
function placedItems(placed: readonly Placed[], folder: string, indent: string): readonly Item[] {
  return [...Map.groupBy(placed, ({ owner }) => owner)].flatMap(([owner, owned]) =>
    linesOf(
      owned.map(
        ({ subject, address, file }) => `${linked(subject, address)} (${code(relativePath(folder, file))})`,
      ),
      `${indent}  - ${owner === undefined ? "" : `${code(owner)}: `}`,
    ),
  )
}

/** Lines that begin the same way. */
function linesOf(texts: readonly string[], begin: string): readonly Item[] {
  const lines: Item[] = []
  for (let at = 0; at < texts.length; at += textsOnLine) {
    const line = texts.slice(at, at + textsOnLine)
    lines.push({ text: `${begin}${line.join(", ")}\n`, count: line.length })
  }
  return lines
}

/** The owner and the file. */
function placeWords({ owner, file }: Placed, folder: string): Phrase {
  const texts = [...(owner === undefined ? [] : [owner]), relativePath(folder, file)]
  return joinPhrases(
    texts.map((text) => phrase`${text}`),
    ", ",
  )
}

function tableHead({ columns }: TableSection): string {
  return `${tableRow(columns)}\n${tableRow(columns.map(() => "---"))}\n`
}

function tableItems({ rows }: TableSection): readonly Item[] {
  return rows.map(({ cells, address }) => {
    const [first = [], ...others] = cells.map((lines) => joinPhrases(lines, "; "))
    return { text: `${tableRow([linked(first, address), ...others.map(markdown)])}\n`, count: 1 }
  })
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

function linked(subject: Phrase, address: string | undefined): string {
  return address === undefined ? markdown(subject) : `[${markdown(subject)}](<${address}>)`
}

/** Diagnostics with the same message. */
function diagnosticItems(alike: readonly Diagnostic[], folder: string): readonly Item[] {
  const places = alike.map(({ location }) => {
    const { source, span } = location
    return code(`${pathOf(location, folder)}:${positionOf(source, span.start).line}`)
  })
  const [first] = alike
  if (first === undefined) return []
  const text = markdown(phrase`${first.code}: ${first.phrase ?? sentence(first.message)}`)
  if (alike.length === 1) return [{ text: `- ${places[0]} ${text}\n`, count: 1 }]
  return [{ text: `- ${text}\n`, count: 0 }, ...linesOf(places, "  - ")]
}
