import { compareText } from "../diagnostics/diagnostic.ts"
import { pathOf, rangeOfLocation } from "../diagnostics/location.ts"
import { plural } from "../diagnostics/plural.ts"
import { lineOf } from "../diagnostics/position.ts"
import { printable, printableJson } from "../diagnostics/printable.ts"
import { wholeCode } from "../phrases/markdown.ts"
import { blocking, type Usages } from "./find-usages.ts"
import type { Constant, Reference } from "./references.ts"
import type { UndefinedFlag } from "./undefined-flags.ts"

/** A reference as it is printed; `path` is relative to a folder. */
interface ReferenceRow {
  readonly path: string
  readonly line: number
  readonly column: number
  readonly kind: Reference["kind"]
  /** The constant that it uses, and where that constant is defined. */
  readonly constant?: string
}

export function referenceRow(reference: Reference, folder: string): ReferenceRow {
  const { kind, constant } = reference
  const row = { ...placeIn(reference, folder), kind }
  if (constant === undefined) return row
  const { name, path, line } = constantPlace(constant, folder)
  return { ...row, constant: `${name} (${path}:${line})` }
}

function placeIn({ source, start, end }: Pick<Reference, "source" | "start" | "end">, folder: string) {
  const location = { source, span: { start, end } }
  const { line, column } = rangeOfLocation(location)
  return { path: pathOf(location, folder), line, column }
}

function constantPlace({ name, source, start }: Constant, folder: string) {
  const { path, line } = placeIn({ source, start, end: start }, folder)
  return { name, path, line }
}

/** Lists the references below each flag: place, kind, and the line of code. */
export function formatText({ references }: Usages, folder: string): string {
  return eachFlag(references, (key, list) => {
    const rows = list.map((reference) => {
      const row = referenceRow(reference, folder)
      return [placeOf(row), wordsOf(row), codeOf(reference, row.line)]
    })
    const widths = [0, 1].map((at) => Math.max(...rows.map((row) => (row[at] ?? "").length)))
    const lines = rows.map(
      ([place = "", words = "", code = ""]) =>
        `  ${place.padEnd(widths[0] ?? 0)}  ${words.padEnd(widths[1] ?? 0)}  ${code}\n`,
    )
    return `${printable(key)}: ${countOf(list)}\n${lines.join("")}`
  })
}

/** The same as Markdown lists, with the undefined flags. Keys and paths are marked as code; lines of code are left out. */
export function formatMarkdown({ references, undefinedFlags = [] }: Usages, folder: string): string {
  const flags = eachFlag(references, (key, list) => {
    const lines = list.map((reference) => `- ${markdownRow(referenceRow(reference, folder))}\n`)
    return `**${wholeCode(key)}**: ${countOf(list)}\n${lines.length === 0 ? "" : `\n${lines.join("")}`}\n`
  })
  const calls = undefinedFlags.map(
    (one) =>
      `- ${wholeCode(placeOf(placeIn(one, folder)))}: ${wholeCode(one.key)}${guessOf(one, wholeCode)}\n`,
  )
  return flags + (calls.length === 0 ? "" : `**Undefined flags**\n\n${calls.join("")}`)
}

/** docs/lifecycle.md lists the members. */
export function formatJson({ references, undefinedFlags, files, tooLarge }: Usages, folder: string): string {
  const flags = sorted(references)
  const json = {
    filesSearched: files,
    filesTooLarge: tooLarge,
    flags: flags.map(([key, list]) => ({
      key,
      references: list.map((one) => ({
        ...referenceRow(one, folder),
        ...(one.constant && { constant: constantPlace(one.constant, folder) }),
      })),
    })),
    unusedFlags: flags.flatMap(([key, list]) => (blocking(list).length === 0 ? key : [])),
    undefinedFlags: undefinedFlags?.map((one) => ({
      key: one.key,
      ...placeIn(one, folder),
      suggestion: one.suggestion,
    })),
  }
  return `${printableJson(JSON.stringify(json, null, 2))}\n`
}

/** `; did you mean …?`, or nothing. */
export function guessOf({ suggestion }: UndefinedFlag, mark: (key: string) => string): string {
  return suggestion === undefined ? "" : `; did you mean ${mark(suggestion)}?`
}

/** A reference as an item of a Markdown list. */
export function markdownRow(row: ReferenceRow): string {
  return `${wholeCode(placeOf(row))}: ${row.constant === undefined ? row.kind : `constant ${wholeCode(row.constant)}`}`
}

/** `4 references in 3 files`. */
function countOf(list: readonly Reference[]): string {
  const files = new Set(list.map(({ source }) => source.path)).size
  return list.length === 0
    ? "no references"
    : `${plural(list.length, "reference")} in ${plural(files, "file")}`
}

const placeOf = ({ path, line, column }: Omit<ReferenceRow, "kind">) => printable(`${path}:${line}:${column}`)
const wordsOf = ({ kind, constant }: ReferenceRow) =>
  constant === undefined ? kind : printable(`constant ${constant}`)

/** The line of code around a reference, cut short: a minified file has one line. */
function codeOf({ source, start }: Reference, line: number): string {
  const full = lineOf(source, line)
  if (full.length <= widest) return printable(full.trim())
  return `${printable(source.text.slice(start, start + widest).replace(/\n[\s\S]*/, ""))}…`
}

const widest = 160

function eachFlag(
  references: Usages["references"],
  format: (key: string, list: readonly Reference[]) => string,
): string {
  return sorted(references)
    .map(([key, list]) => format(key, list))
    .join("")
}

function sorted(references: Usages["references"]) {
  return [...references].toSorted(([a], [b]) => compareText(a, b))
}

/** The line about files that were not searched; empty if all were. */
export function formatTooLarge({ tooLarge }: Pick<Usages, "tooLarge">): string {
  return tooLarge === 0 ? "" : `${plural(tooLarge, "file")} over 1 MB left out\n`
}
