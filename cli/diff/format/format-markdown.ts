import { relative } from "node:path"
import type { Diagnostic } from "../../diagnostics/diagnostic.ts"
import { plural } from "../../diagnostics/format-text.ts"
import { positionOf } from "../../diagnostics/position.ts"
import { code, markdown, tableRow } from "../../phrases/markdown.ts"
import { joinPhrases, type Phrase, phrase } from "../../phrases/phrase.ts"
import type { Change } from "../changes/change.ts"
import type { AddressOf } from "./addresses.ts"
import { codeHeading, codeRows } from "./code-rows.ts"
import {
  type ComparedRevisions,
  flagOf,
  groupWarnings,
  overviewOf,
  type Row,
  sidesWords,
} from "./overview.ts"
import { replayRows, replaySummary } from "./replay-rows.ts"
import type { RiskyFlag } from "./risks.ts"

/** The first line of every comment, by which a workflow finds the one to replace. */
const marker = "<!-- flagstone-diff -->"

/** GitHub refuses longer comments. It counts characters, which are never more than the bytes. */
const maxBytes = 65_536

/**
 * The diff as a comment on a pull request, at most `maxBytes` of UTF-8: headings and lists, which also read well as plain-text
 * mail. Every untrusted text is a code span on one line, with a longer fence than any in it, so that it has no mention,
 * reference, link or HTML. All other text is ours.
 */
export function formatMarkdown(compared: ComparedRevisions): string {
  const { diff, replay, code: references, cwd, addressOf, catalogUrl } = compared
  const { summary, risks, segments, environments, idle, people, notCompared } = overviewOf(diff)
  const top = [
    `${marker}\n**Flags:** ${markdown(summary)}.`,
    markdown(sidesWords(compared)),
    ...(catalogUrl === undefined ? [] : [`[The catalogue of this branch](<${catalogUrl}>)`]),
    ...(replay === undefined ? [] : [`${markdown(replaySummary(replay))}.`]),
  ]
  // A comment has more readers than the file of contexts, so it names only the lines.
  const replayed = replay === undefined ? [] : replayRows(replay, false)
  const items = createItems(addressOf, cwd)
  const warnings = section("Warnings", [
    ...groupWarnings(diff.warnings).flatMap((alike) => warningItems(alike, cwd)),
    ...groupWarnings(diff.accepted ?? []).flatMap((alike) => warningItems(alike, cwd, " (accepted)")),
  ])
  const changes = environments.map(({ environment, rows }) =>
    section(`${code(environment.name)}${environment.protected ? " (protected)" : ""}`, rows.flatMap(items)),
  )
  const byRisk = risks.map(({ title, flags }) =>
    section(
      `${plural(flags.length, "flag")} ${title}`,
      flags.map((flag) => riskRow(flag, addressOf, cwd)),
      "| Flag | Owner | File | Where |\n| --- | --- | --- | --- |\n",
    ),
  )
  const contexts = section("Contexts", replayed.flatMap(items))
  const inCode = section(
    references === undefined ? "" : capital(codeHeading(references)),
    codeRows(references).flatMap(items),
  )
  const sections = [
    section("Segments", segments.flatMap(items)),
    ...(diff.changes.length > mostChanges
      ? [...byRisk, inCode, warnings, contexts, ...changes]
      : [...changes, inCode, contexts, warnings]),
    section("Not compared", notCompared.flatMap(items)),
    section("No effect on values", idle.flatMap(items)),
    section("Metadata only", people.flatMap(items)),
  ]
  return fill(
    `${top.join("\n\n")}\n`,
    sections.filter(({ items }) => items.length > 0),
  )
}

/** With more than this, warnings come first, because the end may be cut off. */
const mostChanges = 20

interface Section {
  readonly open: string
  readonly items: readonly Item[]
}

/** Whole lines, and how many flags or warnings they are about. */
interface Item {
  readonly text: string
  readonly count: number
}

function section(heading: string, items: readonly Item[], head = ""): Section {
  return { open: `\n### ${heading}\n\n${head}`, items }
}

/** As many items as there is room for, in the order of importance, and the number of those left out. */
function fill(top: string, sections: readonly Section[]): string {
  const parts = [top]
  let room = maxBytes - size(top) - size(leftOut(Number.MAX_SAFE_INTEGER))
  let left = 0
  for (const { open, items } of sections) {
    const frame = size(open) + size(more(Number.MAX_SAFE_INTEGER))
    let shown = 0
    if (frame < room) {
      room -= frame
      for (const { text } of items) {
        if (size(text) > room) break
        room -= size(text)
        shown++
      }
    }
    const rest = items.slice(shown).reduce((sum, { count }) => sum + count, 0)
    if (shown === 0) left += rest
    else parts.push(open, ...items.slice(0, shown).map(({ text }) => text), rest > 0 ? more(rest) : "")
  }
  if (left > 0) parts.push(leftOut(left))
  return parts.join("")
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

/** How many flags with the same edit, or places with the same warning, are on one line. */
const textsOnLine = 20

/** A row, a list of its flags if it has many, and the flags that depend on them. */
function createItems(addressOf: AddressOf, cwd: string, indent = ""): (row: Row) => readonly Item[] {
  return ({ subject, what, who, changes, asking = [] }) => {
    const [change, ...others] = changes
    const isOne = change !== undefined && others.length === 0
    const title = isOne ? linked(subject, addressOf(change)) : markdown(subject)
    const lines = [
      `- **${title}**${isOne ? ` (${markdown(placeOf(change, cwd))})` : ""}: ${markdown(what)}`,
      ...who.map((one) => `  - ${markdown(one)}`),
    ]
    const items = others.length === 0 ? [] : flagItems(changes, addressOf, cwd, indent)
    return [
      { text: lines.map((line) => `${indent}${line}\n`).join(""), count: items.length === 0 ? 1 : 0 },
      ...items,
      ...asking.flatMap(createItems(addressOf, cwd, `${indent}  `)),
    ]
  }
}

/** Many flags with their files, by owner. */
function flagItems(
  changes: readonly Change[],
  addressOf: AddressOf,
  cwd: string,
  indent: string,
): readonly Item[] {
  return [...Map.groupBy(changes, ({ owner }) => owner)].flatMap(([owner, own]) =>
    linesOf(
      own.map(
        (one) =>
          `${linked(phrase`${flagOf(one)}`, addressOf(one))} (${markdown(phrase`${relative(cwd, one.file)}`)})`,
      ),
      `${indent}  - ${owner === undefined ? "" : `${code(owner)}: `}`,
    ),
  )
}

/** Lines that begin the same way. */
function linesOf(texts: readonly string[], begin: string): readonly Item[] {
  const lines: Item[] = []
  for (let at = 0; at < texts.length; at += textsOnLine) {
    const own = texts.slice(at, at + textsOnLine)
    lines.push({ text: `${begin}${own.join(", ")}\n`, count: own.length })
  }
  return lines
}

/** The owner and the file. */
function placeOf({ owner, file }: Change, cwd: string): Phrase {
  const texts = [...(owner === undefined ? [] : [owner]), relative(cwd, file)]
  return joinPhrases(
    texts.map((text) => phrase`${text}`),
    ", ",
  )
}

function riskRow({ key, change, what }: RiskyFlag, addressOf: AddressOf, cwd: string): Item {
  const { owner, file } = change
  const cells = [
    linked(phrase`${key}`, addressOf(change)),
    owner === undefined ? "" : code(owner),
    code(relative(cwd, file)),
    markdown(what),
  ]
  return { text: `${tableRow(cells)}\n`, count: 1 }
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

function linked(subject: Phrase, address: string | undefined): string {
  return address === undefined ? markdown(subject) : `[${markdown(subject)}](<${address}>)`
}

/** Warnings with the same message. */
function warningItems(alike: readonly Diagnostic[], cwd: string, note = ""): readonly Item[] {
  const places = alike.map(({ location: { source, span } }) =>
    code(`${relative(cwd, source.path)}:${positionOf(source, span.start).line}`),
  )
  const [first] = alike
  if (first === undefined) return []
  const { code: name, message, phrase: words = phrase`${message}` } = first
  const text = markdown(phrase`${name}${[note]}: ${words}`)
  if (alike.length === 1) return [{ text: `- ${places[0]} ${text}\n`, count: 1 }]
  return [{ text: `- ${text}\n`, count: 0 }, ...linesOf(places, "  - ")]
}
