import { relative } from "node:path"
import type { Diagnostic } from "../../diagnostics/diagnostic.ts"
import {
  createPaint,
  formatText as formatDiagnostics,
  type Paint,
  plural,
  where,
} from "../../diagnostics/format-text.ts"
import { type Phrase, plainPhrase, visible } from "../../phrases/phrase.ts"
import type { Diff } from "../changes/diff.ts"
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

/** The diff for a terminal. */
export function formatText(compared: ComparedRevisions): string {
  const { diff, replay, code, cwd, colour } = compared
  const inCode = codeRows(code)
  const linesOf = (rows: readonly Row[]) => rows.map(createLines(createPaint(colour))).join("")
  return [
    `${unmarked(sidesWords(compared))}\n${formatChanges(diff, cwd, colour)}`,
    ...(code === undefined || inCode.length === 0 ? [] : [`${codeHeading(code)}\n${linesOf(inCode)}`]),
    ...(replay === undefined
      ? []
      : [`${plainPhrase(replaySummary(replay))}\n${linesOf(replayRows(replay, true))}`]),
  ].join("\n")
}

/** What changes, without what was compared; paths are relative to `cwd`. */
export function formatChanges(diff: Diff, cwd: string, colour = false): string {
  const { summary, risks, segments, environments, idle, people, notCompared } = overviewOf(diff)
  const paint = createPaint(colour)
  const lines = createLines(paint)
  const warningBlock = (title: string, warnings: readonly Diagnostic[]) =>
    warnings.length === 0
      ? []
      : [
          `${title}${groupWarnings(warnings)
            .map((alike) => formatWarnings(alike, cwd, colour))
            .join("\n")}`,
        ]
  const sections = [
    { title: paint("bold", "segments"), rows: segments },
    ...environments.map(({ environment, rows }) => ({
      title: `${paint("bold", environment.name)}${environment.protected ? ` ${paint("yellow", "(protected)")}` : ""}`,
      rows,
    })),
    { title: paint("dim", "no effect on values"), rows: idle },
    { title: paint("dim", "metadata only"), rows: people },
    { title: paint("bold", "not compared"), rows: notCompared },
  ]
  const blocks = [
    `${plainPhrase(summary)}\n`,
    ...risks.map(({ title, flags }) => {
      const heading = paint("bold", `${plural(flags.length, "flag")} ${title}`)
      return `${heading}\n${flags.map((flag) => riskLine(flag, cwd, paint)).join("")}`
    }),
    ...sections
      .filter(({ rows }) => rows.length > 0)
      .map(({ title, rows }) => `${title}\n${rows.map(lines).join("")}`),
    ...warningBlock("", diff.warnings),
    ...warningBlock(`${paint("bold", "accepted")}\n\n`, diff.accepted ?? []),
  ]
  return blocks.join("\n")
}

/** The first of several warnings with the same message, and the places of the others. */
function formatWarnings([first, ...others]: readonly Diagnostic[], cwd: string, colour: boolean): string {
  const block = first === undefined ? "" : formatDiagnostics([first], cwd, colour).replace(/\n$/, "")
  if (others.length === 0) return block
  return `${block}  also at: ${others.map(({ location }) => where(location, cwd)).join(", ")}\n`
}

function riskLine({ key, change, what }: RiskyFlag, cwd: string, paint: Paint): string {
  const { owner, file } = change
  const whose = [...(owner === undefined ? [] : [visible(owner)]), visible(relative(cwd, file))].join(", ")
  return `  ${paint("cyan", visible(key))} (${whose}): ${plainPhrase(what)}\n`
}

function createLines(paint: Paint, indent = "  "): (row: Row) => string {
  return ({ subject, what, who, changes, asking = [] }) =>
    [
      `${indent}${paint("cyan", unmarked(subject))}: ${plainPhrase(what)}\n`,
      ...who.map((one) => `${indent}  ${plainPhrase(one)}\n`),
      ...(changes.length > 1
        ? [`${indent}  ${changes.map((change) => visible(flagOf(change))).join(", ")}\n`]
        : []),
      ...asking.map(createLines(paint, `${indent}  `)),
    ].join("")
}

/** A phrase that stands alone, without code marks around its untrusted texts. */
function unmarked(words: Phrase): string {
  return words.map((part) => (typeof part === "string" ? part : visible(part.foreign))).join("")
}
