import { joinLast, type Phrase, phrase } from "../../diagnostics/phrase.ts"
import { plural } from "../../diagnostics/plural.ts"
import { relativePath } from "../../diagnostics/relative-path.ts"
import type {
  CommandReport,
  DiagnosticsSection,
  ListSection,
  Placed,
  Row,
  Section,
  TableSection,
} from "../../report/report.ts"
import type { Change } from "../changes/change.ts"
import type { CodeReferences, Place } from "../changes/code-references.ts"
import { acceptableCodes, type Diff } from "../changes/diff.ts"
import type { Replay } from "../changes/replay.ts"
import type { AddressOf } from "./addresses.ts"
import { diffData } from "./diff-data.ts"
import { type ComparedRevisions, type FlagRow, flagOf, overviewOf, sidesWords } from "./overview.ts"
import { replayRows, replaySummary } from "./replay-rows.ts"
import type { Risk } from "./risks.ts"

/** The heading of the rows. */
function codeHeading({ files }: CodeReferences): string {
  return `in the code (${plural(files, "file")} searched)`
}

/** A row for each removed or renamed flag, with the first places that still refer to it. */
function codeRows(code: CodeReferences | undefined): readonly Row[] {
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
  const { diff, replay, code, cwd, addressOf, catalogUrl } = compared
  return {
    title: sidesWords(compared),
    summary: overviewOf(diff).summary,
    notes: replay === undefined ? [] : [replaySummary(replay)],
    sections: sectionsOf(diff, { replay, code, cwd, addressOf }),
    data: () => diffData(compared),
    comment: {
      label: "Flags",
      link:
        catalogUrl === undefined ? undefined : { text: "The catalogue of this branch", address: catalogUrl },
    },
  }
}

/** What changes, without what was compared; paths are relative to `cwd`. */
export function changesReport(diff: Diff, cwd: string): Pick<CommandReport, "summary" | "sections"> {
  const alone = { replay: undefined, code: undefined, cwd, addressOf: () => undefined }
  return { summary: overviewOf(diff).summary, sections: sectionsOf(diff, alone) }
}

interface Beside {
  readonly replay: Replay | undefined
  readonly code: CodeReferences | undefined
  readonly cwd: string
  readonly addressOf: AddressOf
}

/** With more than this, warnings come first, because the end may be cut off. */
const mostChanges = 20

function sectionsOf(diff: Diff, { replay, code, cwd, addressOf }: Beside): readonly Section[] {
  const { risks, segments, renamed, environments, idle, people, notCompared } = overviewOf(diff)
  const rowsOf = (heading: Phrase, rows: readonly FlagRow[]): ListSection => ({
    ...{ kind: "list", heading, rows: rows.map((row) => reportRow(row, addressOf)) },
  })
  const changes = environments.map(({ environment, rows }) =>
    rowsOf(phrase`${environment.name}${[environment.protected ? " (protected)" : ""]}`, rows),
  )
  const byRisk = risks.map((risk) => riskTable(risk, cwd, addressOf))
  const inCode: ListSection = {
    ...{ kind: "list", heading: code === undefined ? [] : [codeHeading(code)], rows: codeRows(code) },
  }
  const contexts: ListSection = {
    ...{ kind: "list", heading: ["contexts"], rows: replay === undefined ? [] : replayRows(replay) },
  }
  const warnings: readonly DiagnosticsSection[] = [
    { kind: "diagnostics", heading: [warningsHeading(diff)], diagnostics: diff.warnings },
    { kind: "diagnostics", heading: ["accepted warnings"], diagnostics: diff.accepted ?? [] },
  ]
  return [
    rowsOf(["segments"], segments),
    rowsOf(["renamed flags"], renamed),
    ...(diff.changes.length > mostChanges
      ? [...byRisk, inCode, ...warnings, contexts, ...changes]
      : [...changes, inCode, contexts, ...warnings]),
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

function riskTable({ title, flags }: Risk, cwd: string, addressOf: AddressOf): TableSection {
  return {
    kind: "table",
    heading: [`${plural(flags.length, "flag")} ${title}`],
    columns: ["flag", "owner", "file", "where"],
    rows: flags.map(({ key, change, what }) => {
      const { owner, file } = change
      const path = relativePath(cwd, file)
      const cells = [
        [phrase`${key}`],
        owner === undefined ? [] : [phrase`${owner}`],
        [phrase`${path}`],
        [what],
      ]
      return { cells, address: addressOf(change) }
    }),
  }
}
