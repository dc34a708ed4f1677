import { joinLast, type Phrase, phrase } from "../../diagnostics/phrase.ts"
import { plural } from "../../diagnostics/plural.ts"
import type {
  CommandReport,
  DiagnosticsSection,
  ListSection,
  Placed,
  Row,
  Section,
} from "../../report/report.ts"
import type { Change } from "../changes/change.ts"
import type { CodeReferences, Place } from "../changes/code-references.ts"
import { acceptableCodes, type Diff } from "../changes/diff.ts"
import type { AddressOf } from "./addresses.ts"
import { diffData } from "./diff-data.ts"
import { type ComparedRevisions, type FlagRow, flagOf, overviewOf, sidesWords } from "./overview.ts"
import { replayRows, replaySummary } from "./replay-rows.ts"

/** A row for each removed or renamed flag, with the first places that still refer to it. */
function codeSection({ files, flags }: CodeReferences): ListSection {
  const rows = flags.map(({ flag, references }) => ({
    subject: phrase`${flag}`,
    what: [references.length === 0 ? "no references left" : `${plural(references.length, "reference")} left`],
    notes: [
      ...references.slice(0, mostPlaces).map(placeWords),
      ...(references.length > mostPlaces ? [[`and ${references.length - mostPlaces} more`]] : []),
    ],
  }))
  return { kind: "list", heading: [`in the code (${plural(files, "file")} searched)`], rows }
}

/** `usages` lists more than these. */
const mostPlaces = 20

function placeWords({ path, line, column, kind, constant }: Place): Phrase {
  const place = `${path}:${line}:${column}`
  return constant === undefined ? phrase`${place}: ${[kind]}` : phrase`${place}: constant ${constant}`
}

/** Two revisions of a project compared, as a comment that replaces the one before it: its first line is how CI finds that. */
export function diffReport(compared: ComparedRevisions, project: string): CommandReport {
  const report = comparisonReport(compared)
  const marker = `<!-- flagstone-diff ${project} -->`
  return { ...report, comment: { ...report.comment, marker, end: labelsWords(compared.diff) } }
}

/** Which labels accept the warnings, as CI's files have it. */
function labelsWords({ warnings }: Diff): Phrase | undefined {
  const labels = acceptableCodes(warnings).map((code) => phrase`${`flagstone:accept-${code}`}`)
  if (labels.length === 0) return undefined
  return phrase`If this is intended, add the ${[labels.length === 1 ? "label" : "labels"]} ${joinLast(labels, "and")}`
}

/** Two sides compared: whose value changes, environment by environment, then what matters less. */
export function comparisonReport(compared: ComparedRevisions): CommandReport {
  const { diff, replay, code, addressOf, catalogUrl } = compared
  return {
    title: sidesWords(compared),
    summary: overviewOf(diff).summary,
    notes: replay === undefined ? [] : [replaySummary(replay)],
    sections: sectionsOf(diff, { replay, code, addressOf }),
    data: () => diffData(compared),
    comment: {
      label: "Flags",
      link:
        catalogUrl === undefined ? undefined : { text: "The catalogue of this branch", address: catalogUrl },
    },
  }
}

/** What changes, without what was compared. */
export function changesReport(diff: Diff): Pick<CommandReport, "summary" | "sections"> {
  const alone = { replay: undefined, code: undefined, addressOf: () => undefined }
  return { summary: overviewOf(diff).summary, sections: sectionsOf(diff, alone) }
}

/** With more than this, warnings come first, because the end may be cut off. */
const mostChanges = 20

function sectionsOf(
  diff: Diff,
  { replay, code, addressOf }: Pick<ComparedRevisions, "replay" | "code" | "addressOf">,
): readonly Section[] {
  const { segments, renamed, environments, idle, people, notCompared } = overviewOf(diff)
  const rowsOf = (heading: Phrase, rows: readonly FlagRow[]): ListSection => ({
    ...{ kind: "list", heading, rows: rows.map((row) => reportRow(row, addressOf)) },
  })
  const changes = environments.map(({ environment, rows }) =>
    rowsOf(phrase`${environment.name}${[environment.protected ? " (protected)" : ""]}`, rows),
  )
  const inCode: readonly ListSection[] = code === undefined ? [] : [codeSection(code)]
  const contexts: readonly ListSection[] =
    replay === undefined ? [] : [{ kind: "list", heading: ["contexts"], rows: replayRows(replay) }]
  const warnings: readonly DiagnosticsSection[] = [
    { kind: "diagnostics", heading: [warningsHeading(diff)], diagnostics: diff.warnings },
    { kind: "diagnostics", heading: ["accepted warnings"], diagnostics: diff.accepted ?? [] },
  ]
  return [
    rowsOf(["segments"], segments),
    rowsOf(["renamed flags"], renamed),
    ...(diff.changes.length > mostChanges
      ? [...inCode, ...warnings, ...contexts, ...changes]
      : [...changes, ...inCode, ...contexts, ...warnings]),
    rowsOf(["not compared"], notCompared),
    rowsOf(["no effect on values"], idle),
    rowsOf(["metadata only"], people),
  ]
}

/** A broken invariant is an error. */
function warningsHeading({ warnings }: Diff): string {
  return warnings.some(({ severity }) => severity === "error") ? "errors and warnings" : "warnings"
}

function reportRow({ subject, what, who, changes, asking = [] }: FlagRow, addressOf: AddressOf): Row {
  return {
    ...{ subject, what, notes: who },
    placed: changes.map((change) => placedOf(change, addressOf)),
    rows: asking.map((row) => reportRow(row, addressOf)),
  }
}

function placedOf(change: Change, addressOf: AddressOf): Placed {
  const { file, owner } = change
  return { subject: phrase`${flagOf(change)}`, file, owner, address: addressOf(change) }
}
