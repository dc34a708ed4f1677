import { plural } from "../../diagnostics/plural.ts"
import { type Phrase, phrase } from "../../phrases/phrase.ts"
import type { Diff } from "../changes/diff.ts"
import type { Row } from "./overview.ts"

/** Where code refers to flags that go; paths are relative to the folder of the diff's paths. */
export interface CodeReferences {
  /** How many files were searched. */
  readonly files: number
  readonly flags: readonly { readonly flag: string; readonly references: readonly Place[] }[]
}

interface Place {
  readonly path: string
  readonly line: number
  readonly column: number
  readonly kind: string
  /** The constant that the reference goes through, and where that is defined. */
  readonly constant?: string
}

/** The keys that clients no longer get: of flags that are removed or renamed. */
export function keysThatGo({ changes }: Diff): readonly string[] {
  return changes.flatMap((change) =>
    change.kind === "flag-removed" ? change.flag : change.kind === "flag-renamed" ? change.from : [],
  )
}

/** What stands above the rows. */
export function codeHeading({ files }: CodeReferences): string {
  return `in the code (${plural(files, "file")} searched)`
}

/** A row for each flag that goes, with the first places that still refer to it. */
export function codeRows(code: CodeReferences | undefined): readonly Row[] {
  return (code?.flags ?? []).map(({ flag, references }) => ({
    subject: phrase`${flag}`,
    what: [references.length === 0 ? "no reference left" : `${plural(references.length, "reference")} left`],
    who: [
      ...references.slice(0, mostPlaces).map(placeWords),
      ...(references.length > mostPlaces ? [[`and ${references.length - mostPlaces} more`]] : []),
    ],
    changes: [],
  }))
}

/** More of them are a list for `usages`. */
const mostPlaces = 20

function placeWords({ path, line, column, kind, constant }: Place): Phrase {
  const place = `${path}:${line}:${column}`
  return constant === undefined ? phrase`${place}: ${[kind]}` : phrase`${place}: constant ${constant}`
}
