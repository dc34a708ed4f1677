import { compareText, type Diagnostic, type Location } from "../diagnostics/diagnostic.ts"
import { pathOf, rangeOfLocation } from "../diagnostics/location.ts"
import { type Phrase, phrase, whole } from "../diagnostics/phrase.ts"
import { plural } from "../diagnostics/plural.ts"
import { lineOf } from "../diagnostics/position.ts"
import { relativePath } from "../diagnostics/relative-path.ts"
import { list } from "../diagnostics/suggest.ts"
import type { CommandReport, Row } from "../report/report.ts"
import type { Dependent } from "./dependents.ts"
import { blocking, type Usages } from "./find-usages.ts"
import type { Constant, Reference } from "./references.ts"

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
  const row = { ...placeIn(locationOf(reference), folder), kind }
  if (constant === undefined) return row
  const { name, path, line } = constantPlace(constant, folder)
  return { ...row, constant: `${name} (${path}:${line})` }
}

function placeIn(location: Location, folder: string) {
  const { line, column } = rangeOfLocation(location)
  return { path: pathOf(location, folder), line, column }
}

function locationOf({ source, start }: Pick<Reference, "source" | "start">): Location {
  return { source, span: { start, end: start } }
}

function constantPlace({ name, ...place }: Constant, folder: string) {
  const { path, line } = placeIn(locationOf(place), folder)
  return { name, path, line }
}

/** A reference in words: where it is, and what it is. */
export function referenceWords(row: ReferenceRow): Phrase {
  return phrase`${whole(placeOf(row))}: ${kindWords(row)}`
}

function kindWords({ kind, constant }: ReferenceRow): Phrase {
  const named = constant === undefined ? [] : phrase`constant ${whole(constant)}`
  if (kind === "possible") return phrase`possible${constant === undefined ? [] : phrase` ${named}`}`
  return constant === undefined ? [kind] : named
}

/** Where code uses flags, and the conditions on them. */
export interface ListedUsages extends Usages {
  /** By flag key. */
  readonly dependents: ReadonlyMap<string, readonly Dependent[]>
  /** The address of a flag's page; `undefined` if it has none. */
  readonly pageOf: (key: string) => string | undefined
}

/**
 * The references to each flag, and the conditions on it, unless only the data lists them, and what is wrong. The text alone has the lines of code.
 * Paths are relative to `folder`.
 */
export function usagesReport(
  usages: ListedUsages,
  diagnostics: readonly Diagnostic[],
  folder: string,
  listsReferences: boolean,
): CommandReport {
  const flags = sorted(usages.references)
  const rows = listsReferences ? flags.map(([key, list]) => flagRow(key, list, usages, folder)) : []
  return {
    sections: [
      { kind: "list", rows },
      { kind: "diagnostics", ...(rows.length > 0 && { heading: ["findings"] }), diagnostics },
    ],
    data: () => usagesData(usages, flags, folder),
  }
}

/** How many references keep flags in use, and how many do not. */
export function countWords(list: readonly Reference[]): string {
  const others = (["generated", "possible"] as const).flatMap((kind) => {
    const { length } = list.filter((reference) => reference.kind === kind)
    return length === 0 ? [] : [`${length} ${kind}`]
  })
  return [plural(blocking(list).length, "reference"), ...others].join(", ")
}

function flagRow(
  key: string,
  list: readonly Reference[],
  { dependents, pageOf }: ListedUsages,
  folder: string,
): Row {
  const files = new Set(list.map(({ source }) => source.path)).size
  const page = pageOf(key)
  const count = `${countWords(list)} in ${plural(files, "file")}`
  return {
    subject: whole(key),
    what: [list.length === 0 ? "no references" : count],
    notes: page === undefined ? [] : [[page]],
    rows: [
      ...list.map((reference) => {
        const row = referenceRow(reference, folder)
        return {
          subject: whole(placeOf(row)),
          what: kindWords(row),
          local: whole(codeOf(reference, row.line)),
        }
      }),
      ...(dependents.get(key) ?? []).map(({ kind, name, location }) => ({
        subject: whole(placeOf(placeIn(location, folder))),
        what: phrase`${[kind]} ${whole(name)}`,
      })),
    ],
  }
}

function usagesData(
  { undefinedFlags, files, tooLarge, dependents, pageOf }: ListedUsages,
  flags: readonly (readonly [string, readonly Reference[]])[],
  folder: string,
): object {
  return {
    filesSearched: files,
    filesTooLarge: tooLarge.length,
    flags: flags.map(([key, list]) => ({
      key,
      url: pageOf(key),
      references: list.map((reference) => ({
        ...referenceRow(reference, folder),
        ...(reference.constant && { constant: constantPlace(reference.constant, folder) }),
      })),
      conditions: (dependents.get(key) ?? []).map(({ kind, name, location }) => ({
        ...{ kind, name, ...placeIn(location, folder) },
      })),
    })),
    unusedFlags: flags.flatMap(([key, list]) => (blocking(list).length === 0 ? key : [])),
    undefinedFlags: undefinedFlags?.map((call) => ({
      key: call.key,
      ...placeIn(locationOf(call), folder),
      suggestion: call.suggestion,
    })),
  }
}

const placeOf = ({ path, line, column }: Omit<ReferenceRow, "kind">) => `${path}:${line}:${column}`

/** The line of code around a reference, cut short: a minified file has one line. */
function codeOf({ source, start }: Reference, line: number): string {
  const full = lineOf(source, line)
  if (full.length <= widest) return full.trim()
  return `${source.text.slice(start, start + widest).replace(/\n[\s\S]*/, "")}…`
}

const widest = 160

function sorted(references: Usages["references"]) {
  return [...references].toSorted(([a], [b]) => compareText(a, b))
}

/** The line about files that were not searched; empty if all were. Paths are relative to `folder`. */
export function tooLargeLine({ tooLarge }: Pick<Usages, "tooLarge">, folder: string): string {
  const names = list(tooLarge.map((path) => relativePath(folder, path)))
  return tooLarge.length === 0 ? "" : `${plural(tooLarge.length, "file")} over 1 MB left out: ${names}\n`
}
