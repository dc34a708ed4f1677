import { plural } from "../diagnostics/plural.ts"
import { printable } from "../diagnostics/printable.ts"
import { tableRow, wholeCode } from "../phrases/markdown.ts"
import { type Loss, losses as table, type Verdict, verdicts, verdictWords } from "./form/losses.ts"
import { type Place, placeOf } from "./form/tree.ts"
import type { Import, PlacedRemark, Result } from "./import-flags.ts"

/** What is reported about an import. */
export interface Reported extends Pick<Import, "results" | "remarks" | "tally"> {
  readonly tool: string
  /** Codes of losses that the user accepts. */
  readonly accepted: readonly string[]
  /** Paths as the user writes them. */
  readonly written: readonly string[]
  readonly isDry: boolean
}

/** The formats of the report. */
export const formats = { text: formatText, json: formatJson, markdown: formatMarkdown }

/** How many flags are named for one loss or remark, and details for one flag. */
const mostNamed = 5

/** Losses with the same text are reported once, with their flags. */
function formatText(report: Reported): string {
  const { results, remarks, accepted, written, isDry } = report
  const verdictLines = counts(results).map(([verdict, count]) => {
    const isAccepted = (one: Result) => one.verdict === verdict && one.open === "exact" && verdict !== "exact"
    const acceptedCount = results.filter(isAccepted).length
    const note =
      acceptedCount === 0 ? "" : acceptedCount === count ? ", accepted" : `, ${acceptedCount} accepted`
    return `  ${verdictWords[verdict]}: ${count}${note}\n`
  })
  const lossTexts = groups(results).map(([{ code, text, ...first }, ...others]) => {
    const [verdict, advice] = table[code]
    const said = accepted.includes(code)
      ? `  accepted: ${printable(text)}\n`
      : `  ${verdictWords[verdict]}: ${printable(text)}\n  ${advice}\n`
    return `${where(first)} ${code}\n${said}${alsoAt(others)}`
  })
  const found = sameRemarks(remarks).map(
    ([first, ...others]) =>
      `${where(first)}\n  ${printable(withDetail(first.text, first))}\n${alsoAt(others)}`,
  )
  return [
    `${summary(report)}\n${verdictLines.join("")}`,
    ...lossTexts,
    ...(found.length === 0 ? [] : ["Also found:\n", ...found]),
    ...(written.length === 0
      ? []
      : [`${isDry ? "Would write" : "Wrote"} ${plural(written.length, "file")}\n`]),
  ].join("\n")
}

/** One object on one line. */
function formatJson({ tool, results, remarks, tally, accepted, written, isDry }: Reported): string {
  const flags = results.map(({ flag, environment, verdict, node, losses }) => ({
    ...{ flag, environment, verdict, ...placeOf(node) },
    losses: losses.map(({ code, text, place }) => {
      const [verdict, advice] = table[code]
      return { code, verdict, text, advice, accepted: accepted.includes(code), ...place }
    }),
  }))
  const found = remarks.map(({ place, flag, environment, ...remark }) => ({
    ...{ flag, environment, text: withDetail(remark.text, remark), ...place },
  }))
  return `${JSON.stringify({ tool, counts: Object.fromEntries(counts(results)), proof: tally, flags, found, written, dryRun: isDry })}\n`
}

/** For a pull request. */
function formatMarkdown(report: Reported): string {
  const { results, remarks, accepted } = report
  const rows = groups(results).map((same) => {
    const [{ code, text, place }] = same
    const [verdict, advice] = table[code]
    const isAccepted = accepted.includes(code)
    const judged = isAccepted ? "accepted" : verdictWords[verdict]
    const what = `\`${code}\`: ${wholeCode(text)}.${isAccepted ? "" : ` ${advice}`}`
    return tableRow([named(same), judged, wholeCode(placeText(place)), what])
  })
  const found = sameRemarks(remarks).map(([first, ...others]) => {
    const line = `${wholeCode(where(first))}: ${wholeCode(withDetail(first.text, first))}\n`
    return `- ${line}${alsoAt(others, "- ", wholeCode)}`.trimEnd()
  })
  return [
    `${summary(report)}\n`,
    "| verdict | flags and environments |\n| --- | ---: |",
    ...counts(results).map(([verdict, count]) => `| ${verdictWords[verdict]} | ${count} |`),
    ...(rows.length === 0
      ? []
      : ["\n| flags | verdict | where | what |\n| --- | --- | --- | --- |", ...rows]),
    ...(found.length === 0 ? [] : ["\n### Also found\n", ...found]),
    "",
  ].join("\n")
}

function summary({ tool, results, tally }: Reported): string {
  const flags = new Set(results.map(({ flag }) => flag)).size
  const environments = new Set(results.map(({ environment }) => environment)).size
  const { contexts, differing, withShares, sharesCompared } = tally
  const isByShare = differing === 0 && withShares > 0
  const differ = isByShare
    ? "0 differ except by share"
    : `${differing} ${differing === 1 ? "differs" : "differ"}`
  const proof = `${contexts.toLocaleString("en")} context${contexts === 1 ? "" : "s"}: ${differ}`
  const rest =
    sharesCompared < withShares
      ? `\n  shares compared with 10,000 ids in ${sharesCompared} of ${plural(withShares, "configuration")} with shares`
      : ""
  return `${tool}: ${plural(flags, "flag")}, ${plural(environments, "environment")}, ${proof}${rest}`
}

/** How many flags and environments have a verdict. */
function counts(results: readonly Result[]): readonly (readonly [Verdict, number])[] {
  return verdicts
    .map((verdict) => [verdict, results.filter((one) => one.verdict === verdict).length] as const)
    .filter(([, count]) => count > 0)
}

/** A loss, and the flag that has it. */
interface Lost extends Loss, Pick<Result, "flag" | "environment"> {}

/** Losses with the same text; worst first. */
function groups(results: readonly Result[]): readonly Same<Lost>[] {
  const all = results.flatMap(({ flag, environment, losses }) =>
    losses.map((loss): Lost => ({ ...loss, flag, environment })),
  )
  const badness = ([{ code }]: Same<Lost>) => verdicts.indexOf(table[code][0])
  return sameBy(all, ({ code, text }) => `${code} ${text}`).toSorted((a, b) => badness(b) - badness(a))
}

/** Remarks with the same text, one for each flag and environment, with all details. */
function sameRemarks(remarks: readonly PlacedRemark[]): readonly Same<PlacedRemark>[] {
  const whose = ({ flag, environment, place }: PlacedRemark) =>
    JSON.stringify(flag === undefined ? [place] : [flag, environment])
  const joined = sameBy(remarks, (one) => `${one.text} ${whose(one)}`).map((own) => {
    const details = own.flatMap(({ detail }) => detail ?? [])
    return { ...own[0], detail: details.length === 0 ? undefined : firstOf(details) }
  })
  return sameBy(joined, ({ text }) => text)
}

type Same<T> = readonly [T, ...T[]]

function sameBy<T>(all: readonly T[], nameOf: (one: T) => string): readonly Same<T>[] {
  return [...Map.groupBy(all, nameOf).values()] as unknown as readonly Same<T>[]
}

/** Lines for the other places with the same text. */
function alsoAt(others: readonly PlacedRemark[], bullet = "", mark = printable): string {
  const lines = others
    .slice(0, mostNamed - 1)
    .map((one) => `  ${bullet}also ${mark(withDetail(where(one), one))}\n`)
  const more = others.length - lines.length
  return [...lines, ...(more === 0 ? [] : [`  ${bullet}and ${more} more\n`])].join("")
}

function withDetail(text: string, { detail }: Pick<PlacedRemark, "detail">): string {
  return detail === undefined ? text : `${text}: ${detail}`
}

function where({ flag, environment, place }: Omit<PlacedRemark, "text">): string {
  const whose = flag === undefined ? "" : ` ${printable(flag)}`
  return `${placeText(place)}${whose}${environment === undefined ? "" : ` (${printable(environment)})`}`
}

/** The first flags, for Markdown. */
function named(same: readonly PlacedRemark[]): string {
  const names = same.flatMap(({ flag, environment }) => {
    const place = environment === undefined ? "" : ` (${wholeCode(environment)})`
    return flag === undefined ? [] : [`${wholeCode(flag)}${place}`]
  })
  return firstOf(names)
}

function firstOf(names: readonly string[]): string {
  const different = [...new Set(names)]
  const more = different.length > mostNamed ? [`${different.length - mostNamed} more`] : []
  return [...different.slice(0, mostNamed), ...more].join(", ")
}

function placeText({ file, line, pointer }: Place): string {
  return printable(`${file}:${line} ${pointer === "" ? "/" : pointer}`)
}
