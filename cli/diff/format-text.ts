import { formatText as formatDiagnostics } from "../diagnostics/format-text.ts"
import type { Diff } from "./diff.ts"
import { type ComparedRevisions, overviewOf, type Row, replayRows, replaySummary } from "./overview.ts"
import { plainPhrase, visible } from "./phrase.ts"
import { type Endpoint, revisionOf } from "./revisions.ts"

/** The diff for a terminal. */
export function formatText({ before, after, diff, replay, cwd }: ComparedRevisions): string {
  const rows = replay === undefined ? "" : replayRows(replay, true).map(lines).join("")
  const contexts = replay === undefined ? "" : `\n${plainPhrase(replaySummary(replay))}\n${rows}`
  return `${describe(before)} → ${describe(after)}\n${formatChanges(diff, cwd)}${contexts}`
}

/** What changes, without what was compared; paths are relative to `cwd`. */
export function formatChanges(diff: Diff, cwd: string): string {
  const { summary, environments, idle, people, notCompared } = overviewOf(diff)
  const { accepted = [] } = diff
  const sections = [
    ...environments.map(({ environment, rows }) => ({
      title: environment.protected ? `${environment.name} (protected)` : environment.name,
      rows,
    })),
    { title: "no effect on values", rows: idle },
    { title: "for people only", rows: people },
    { title: "not compared", rows: notCompared },
  ]
  const blocks = [
    `${plainPhrase(summary)}\n`,
    ...sections
      .filter(({ rows }) => rows.length > 0)
      .map(({ title, rows }) => `${title}\n${rows.map(lines).join("")}`),
    ...(diff.warnings.length > 0 ? [formatDiagnostics(diff.warnings, cwd).replace(/\n$/, "")] : []),
    ...(accepted.length > 0 ? [`accepted\n\n${formatDiagnostics(accepted, cwd).replace(/\n$/, "")}`] : []),
  ]
  return blocks.join("\n")
}

function lines({ subject, what, who }: Row): string {
  return [
    `  ${plainPhrase(subject).replaceAll("`", "")}: ${plainPhrase(what)}\n`,
    ...who.map((one) => `    ${plainPhrase(one)}\n`),
  ].join("")
}

function describe(endpoint: Endpoint): string {
  const revision = revisionOf(endpoint)
  const name = visible(endpoint.name)
  return revision === null || revision.startsWith(endpoint.name) ? name : `${name} (${revision.slice(0, 10)})`
}
