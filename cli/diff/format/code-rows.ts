import { type Phrase, phrase } from "../../diagnostics/phrase.ts"
import { plural } from "../../diagnostics/plural.ts"
import type { Row } from "../../report/report.ts"
import type { CodeReferences, Place } from "../changes/code-references.ts"

/** The heading of the rows. */
export function codeHeading({ files }: CodeReferences): string {
  return `in the code (${plural(files, "file")} searched)`
}

/** A row for each removed or renamed flag, with the first places that still refer to it. */
export function codeRows(code: CodeReferences | undefined): readonly Row[] {
  return (code?.flags ?? []).map(({ flag, references }) => ({
    subject: phrase`${flag}`,
    what: [references.length === 0 ? "no references left" : `${plural(references.length, "reference")} left`],
    notes: [
      ...references.slice(0, mostPlaces).map(placeWords),
      ...(references.length > mostPlaces ? [[`and ${references.length - mostPlaces} more`]] : []),
    ],
  }))
}

/** `usages` lists more than these. */
const mostPlaces = 20

function placeWords({ path, line, column, kind, constant }: Place): Phrase {
  const place = `${path}:${line}:${column}`
  return constant === undefined ? phrase`${place}: ${[kind]}` : phrase`${place}: constant ${constant}`
}
