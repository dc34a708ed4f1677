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

/** What is reported about an import. */
export interface Reported extends Pick<Import, "results" | "remarks" | "tally"> {
  readonly tool: string
  /** Codes of losses that the user accepts. */
  readonly accepted: readonly string[]
  /** Paths as the user writes them. */
  readonly written: readonly string[]
  readonly isDry: boolean
}

/** The ways in which an import is reported. */
export const formats = { text: formatText, json: formatJson, markdown: formatMarkdown }

/** Flags named for one loss. */
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
    const also = others.slice(0, mostNamed - 1).map((one) => `  also ${where(one)}\n`)
    const more = others.length < mostNamed ? [] : [`  and ${others.length - mostNamed + 1} more\n`]
    const said = accepted.includes(code)
      ? `  accepted: ${printable(text)}\n`
      : `  ${verdictWords[verdict]}: ${printable(text)}\n  ${advice}\n`
    return [`${where(first)} ${code}\n`, said, ...also, ...more].join("")
  })
  const found = remarks.map(({ place, text }) => `  ${placeText(place)} ${printable(text)}\n`)
  return [
    `${summary(report)}\n${verdictLines.join("")}`,
    ...lossTexts,
    ...(found.length === 0 ? [] : [`Found on the way:\n${found.join("")}`]),
    ...(written.length === 0
      ? []
      : [`${isDry ? "Would write" : "Wrote"} ${plural(written.length, "file")}\n`]),
  ].join("\n")
}

/** One object on one line. */
function formatJson({ tool, results, remarks, tally, accepted, written, isDry }: Reported): string {
  const flags = results.map(({ flag, environment, verdict, place, losses }) => ({
    ...{ flag, environment, verdict, ...place },
    losses: losses.map(({ code, text, place }) => {
      const [verdict, advice] = table[code]
      return { code, verdict, text, advice, accepted: accepted.includes(code), ...place }
    }),
  }))
  const found = remarks.map(({ place, text }) => ({ ...place, text }))
  return `${JSON.stringify({ tool, counts: Object.fromEntries(counts(results)), proof: tally, flags, found, written, dryRun: isDry })}\n`
}

/** For a pull request. */
function formatMarkdown(report: Reported): string {
  const { results, remarks, accepted } = report
  const cell = (text: string) => printable(text).replaceAll("|", "\\|").replaceAll("<", "&lt;")
  const rows = groups(results).map((same) => {
    const [{ code, text, place }] = same
    const [verdict, advice] = table[code]
    const named = same.slice(0, mostNamed).map((one) => `\`${cell(one.flag)}\` (${one.environment})`)
    const more = same.length > mostNamed ? [`${same.length - mostNamed} more`] : []
    const isAccepted = accepted.includes(code)
    const judged = isAccepted ? "accepted" : verdictWords[verdict]
    const cells = [[...named, ...more].join(", "), judged, cell(placeText(place))]
    return `| ${[...cells, `\`${code}\`: ${cell(text)}.${isAccepted ? "" : ` ${advice}`}`].join(" | ")} |`
  })
  const found = remarks.map(({ place, text }) => `- ${cell(placeText(place))} ${cell(text)}`)
  return [
    `${summary(report)}\n`,
    "| verdict | flags and environments |\n| --- | ---: |",
    ...counts(results).map(([verdict, count]) => `| ${verdictWords[verdict]} | ${count} |`),
    ...(rows.length === 0
      ? []
      : ["\n| flags | verdict | where | what |\n| --- | --- | --- | --- |", ...rows]),
    ...(found.length === 0 ? [] : ["\n### Found on the way\n", ...found]),
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
  const proof = `${contexts.toLocaleString("en")} contexts: ${differ}`
  const rest =
    sharesCompared < withShares
      ? `\n  shares compared with 10,000 ids in ${sharesCompared} of ${plural(withShares, "configuration")} that have some`
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
function groups(results: readonly Result[]): readonly (readonly [Lost, ...Lost[]])[] {
  const all = results.flatMap(({ flag, environment, losses }) =>
    losses.map((loss): Lost => ({ ...loss, flag, environment })),
  )
  const badness = ([{ code }]: readonly [Lost, ...Lost[]]) => verdicts.indexOf(table[code][0])
  return [...Map.groupBy(all, ({ code, text }) => `${code} ${text}`).values()]
    .map((same) => same as [Lost, ...Lost[]])
    .toSorted((a, b) => badness(b) - badness(a))
}

function where({ flag, environment, place }: Pick<Lost, "flag" | "environment" | "place">): string {
  return `${placeText(place)} ${printable(flag)} (${environment})`
}

function placeText({ file, line, pointer }: Place): string {
  return printable(`${file}:${line} ${pointer === "" ? "/" : pointer}`)
}

/** Whether all is exact, or accepted. */
export function isFaithful(results: readonly Result[]): boolean {
  return results.every(({ open }) => open === "exact")
}

/** Whether the flag is not written. */
export function isRefused({ open }: Result): boolean {
  return !isWritable(open)
}
