import { plural } from "../diagnostics/plural.ts"
import { printable } from "../diagnostics/printable.ts"
import {
  isWritable,
  type Loss,
  losses as table,
  type Verdict,
  verdicts,
  verdictWords,
} from "./form/losses.ts"
import type { Place } from "./form/tree.ts"
import type { Import, Result } from "./import-flags.ts"

/** What is said of an import. */
export interface Reported extends Pick<Import, "results" | "remarks" | "tally"> {
  readonly tool: string
  /** Paths as the user writes them. */
  readonly written: readonly string[]
  readonly isDry: boolean
}

/** Losses with the same words are said once, with the flags that they are about. */
export function formatText(report: Reported): string {
  const { results, remarks, written, isDry } = report
  const parts = [
    `${summary(report)}\n${counts(results)
      .map(([verdict, count]) => `  ${count} ${verdictWords[verdict]}\n`)
      .join("")}`,
    ...groups(results).map(({ code, text, at }) => {
      const [first, ...others] = at
      const more = others
        .slice(0, 4)
        .map((one) => `  also ${where(one)}\n`)
        .join("")
      const rest = others.length > 4 ? `  and ${others.length - 4} more\n` : ""
      return `${first === undefined ? "" : where(first)} ${code}\n  ${verdictWords[table[code][0]]}: ${printable(text)}\n  ${table[code][1]}\n${more}${rest}`
    }),
    remarks.length === 0
      ? ""
      : `Found on the way:\n${remarks.map(({ place, text }) => `  ${placeText(place)} ${printable(text)}\n`).join("")}`,
    written.length === 0 ? "" : `${isDry ? "Would write" : "Wrote"} ${plural(written.length, "file")}\n`,
  ]
  return parts.filter((part) => part !== "").join("\n")
}

/** One object on one line. */
export function formatJson({ tool, results, remarks, tally, written, isDry }: Reported): string {
  const flags = results.map(({ flag, environment, verdict, place, losses }) => ({
    ...{ flag, environment, verdict, ...place },
    losses: losses.map(({ code, text, place }) => ({
      code,
      verdict: table[code][0],
      text,
      advice: table[code][1],
      ...place,
    })),
  }))
  const found = remarks.map(({ place, text }) => ({ ...place, text }))
  return `${JSON.stringify({ tool, counts: Object.fromEntries(counts(results)), proof: tally, flags, found, written, dryRun: isDry })}\n`
}

/** For a pull request. */
export function formatMarkdown(report: Reported): string {
  const { results, remarks } = report
  const cell = (text: string) => printable(text).replaceAll("|", "\\|").replaceAll("<", "&lt;")
  const table = (head: string, rows: readonly string[]) => (rows.length === 0 ? [] : [head, ...rows, ""])
  const worse = results.filter(({ losses }) => losses.length > 0)
  return [
    summary(report),
    "",
    ...table(
      "| verdict | flags and environments |\n| --- | ---: |",
      counts(results).map(([verdict, count]) => `| ${verdictWords[verdict]} | ${count} |`),
    ),
    ...table(
      "| flag | environment | verdict | where | what |\n| --- | --- | --- | --- | --- |",
      worse.flatMap(({ flag, environment, verdict, losses }) =>
        losses.map(
          ({ code, text, place }) =>
            `| \`${cell(flag)}\` | ${environment} | ${verdict} | ${cell(placeText(place))} | \`${code}\`: ${cell(text)} |`,
        ),
      ),
    ),
    ...(remarks.length === 0
      ? []
      : [
          "### Found on the way",
          "",
          ...remarks.map(({ place, text }) => `- ${cell(placeText(place))} ${cell(text)}`),
          "",
        ]),
  ].join("\n")
}

function summary({ tool, results, tally }: Reported): string {
  const flags = new Set(results.map(({ flag }) => flag)).size
  const environments = new Set(results.map(({ environment }) => environment)).size
  const differ =
    tally.differing === 0 && tally.shares > 0
      ? "0 differ but by share"
      : `${tally.differing} ${tally.differing === 1 ? "differs" : "differ"}`
  return `${tool}: ${plural(flags, "flag")}, ${plural(environments, "environment")}, ${tally.contexts.toLocaleString("en")} contexts: ${differ}`
}

function counts(results: readonly Result[]): readonly (readonly [Verdict, number])[] {
  return verdicts
    .map((verdict) => [verdict, results.filter((one) => one.verdict === verdict).length] as const)
    .filter(([, count]) => count > 0)
}

interface Group extends Pick<Loss, "code" | "text"> {
  readonly at: readonly { readonly flag: string; readonly environment: string; readonly place: Place }[]
}

/** Worst first. */
function groups(results: readonly Result[]): readonly Group[] {
  const all = results.flatMap(({ flag, environment, losses }) =>
    losses.map((loss) => ({ ...loss, flag, environment })),
  )
  return [...Map.groupBy(all, ({ code, text }) => `${code} ${text}`).values()]
    .flatMap((same) => (same[0] === undefined ? [] : [{ code: same[0].code, text: same[0].text, at: same }]))
    .toSorted((a, b) => verdicts.indexOf(table[b.code][0]) - verdicts.indexOf(table[a.code][0]))
}

function where({ flag, environment, place }: Group["at"][number]): string {
  return `${placeText(place)} ${printable(flag)} (${environment})`
}

function placeText({ file, line, pointer }: Place): string {
  return printable(`${file}:${line} ${pointer === "" ? "/" : pointer}`)
}

/** 0 where all is exact, or accepted. */
export function isFaithful(results: readonly Result[]): boolean {
  return results.every(({ open }) => open === "exact")
}

/** The flags that cannot be written. */
export function refusedFlags(results: readonly Result[]): readonly string[] {
  return [...new Set(results.filter(({ open }) => !isWritable(open)).map(({ flag }) => flag))]
}
