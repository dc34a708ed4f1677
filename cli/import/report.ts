import { joinPhrases, type Phrase, phrase, plainPhrase, sentence, whole } from "../diagnostics/phrase.ts"
import { plural } from "../diagnostics/plural.ts"
import type { CommandReport, Row, TableSection } from "../report/report.ts"
import { type Loss, losses as table, verdicts, verdictWords } from "./form/losses.ts"
import { type Place, placeOf } from "./form/tree.ts"
import type { Import, PlacedRemark, Result } from "./import-flags.ts"

/** What is reported about an import. */
export interface Reported extends Pick<Import, "results" | "remarks" | "tally"> {
  readonly tool: string
  /** Codes of losses that the user accepts. */
  readonly accepted: readonly string[]
  /** Paths as the user writes them. */
  readonly written: readonly string[]
  /** What import chose for a new project; `undefined`: the project was there. */
  readonly created: Created | undefined
  readonly isDry: boolean
}

/** A new project's name, whether it is a guess, and the protected environments, which always are. */
export interface Created {
  readonly name: string
  readonly isGuessed: boolean
  readonly protected: readonly string[]
}

/** How many flags are named for one loss or remark, and details for one flag. */
const mostNamed = 5

/** How faithful an import is, what it loses and what is odd, each with its first flags; the data names all. */
export function importReport(reported: Reported): CommandReport {
  const { results, remarks, accepted } = reported
  return {
    summary: summaryOf(reported),
    notes: notesOf(reported),
    sections: [
      verdictTable(results),
      { kind: "list", heading: ["losses"], rows: groups(results).map((alike) => lossRow(alike, accepted)) },
      { kind: "list", heading: ["also found"], rows: sameRemarks(remarks).map(remarkRow) },
    ],
    data: () => dataOf(reported),
  }
}

function summaryOf({ tool, results, tally }: Reported): Phrase {
  const flags = new Set(results.map(({ flag }) => flag)).size
  const environments = new Set(results.map(({ environment }) => environment)).size
  const { contexts, differing, withShares } = tally
  const isByShare = differing === 0 && withShares > 0
  const differ = isByShare
    ? "0 differ except by share"
    : `${differing} ${differing === 1 ? "differs" : "differ"}`
  const proof = `${contexts.toLocaleString("en")} context${contexts === 1 ? "" : "s"}: ${differ}`
  return [`${tool}: ${plural(flags, "flag")}, ${plural(environments, "environment")}, ${proof}`]
}

function notesOf({ tally, written, created, isDry }: Reported): readonly Phrase[] {
  const { withShares, sharesCompared } = tally
  const configurations = plural(withShares, "configuration")
  const compared = `shares compared with 10,000 ids in ${sharesCompared} of ${configurations} with shares`
  const files = `${isDry ? "would write" : "wrote"} ${plural(written.length, "file")}`
  const guesses = created === undefined ? [] : [guessesIn(created)]
  return [
    ...(sharesCompared < withShares ? [[compared]] : []),
    ...(written.length === 0 ? [] : [[files], ...guesses]),
  ]
}

function guessesIn({ name, isGuessed, protected: names }: Created): Phrase {
  const guarded = names.length === 0 ? ["no environment"] : joinPhrases(names.map(whole), " and ")
  return [
    ...(isGuessed
      ? phrase`project.yaml calls the project ${whole(name)} and protects `
      : ["project.yaml protects "]),
    ...guarded,
    ": correct that before you publish",
  ]
}

/** How many flags and environments have a verdict. */
function countsOf(results: readonly Result[]) {
  return verdicts
    .map((verdict) => {
      const judged = results.filter((result) => result.verdict === verdict)
      const accepted = judged.filter(({ open }) => open === "exact" && verdict !== "exact").length
      return { verdict, count: judged.length, accepted }
    })
    .filter(({ count }) => count > 0)
}

function verdictTable(results: readonly Result[]): TableSection {
  const rows = countsOf(results).map(({ verdict, count, accepted }) => {
    const note = accepted === 0 ? "" : accepted === count ? ", accepted" : `, ${accepted} accepted`
    return { cells: [[[verdictWords[verdict]]], [[`${count}${note}`]]] }
  })
  return { kind: "table", columns: ["verdict", "flags and environments"], rows }
}

function dataOf({ tool, results, remarks, tally, accepted, written, isDry }: Reported): object {
  return {
    tool,
    counts: Object.fromEntries(countsOf(results).map(({ verdict, count }) => [verdict, count])),
    proof: tally,
    flags: results.map(({ flag, environment, verdict, node, losses }) => ({
      ...{ flag, environment, verdict, ...placeOf(node) },
      losses: losses.map(({ code, verdict, message, place }) => {
        const [, advice] = table[code]
        return { code, verdict, text: message, advice, accepted: accepted.includes(code), ...place }
      }),
    })),
    found: remarks.map(({ message, place, flag, environment }) => ({
      ...{ flag, environment, text: message, ...place },
    })),
    written,
    dryRun: isDry,
  }
}

/** A loss, and the flag that has it. */
interface Lost extends Loss, Pick<Result, "flag" | "environment"> {}

type Same<T> = readonly [T, ...T[]]

function sameBy<T>(all: readonly T[], nameOf: (one: T) => string): readonly Same<T>[] {
  return [...Map.groupBy(all, nameOf).values()] as unknown as readonly Same<T>[]
}

/** Losses with the same message; worst first. */
function groups(results: readonly Result[]): readonly Same<Lost>[] {
  const all = results.flatMap(({ flag, environment, losses }) =>
    losses.map((loss): Lost => ({ ...loss, flag, environment })),
  )
  const badness = ([{ verdict }]: Same<Lost>) => verdicts.indexOf(verdict)
  return sameBy(all, ({ code, message }) => `${code} ${message}`).toSorted((a, b) => badness(b) - badness(a))
}

function lossRow(alike: Same<Lost>, accepted: readonly string[]): Row {
  const [{ code, verdict, message, phrase: words = sentence(message) }] = alike
  const isAccepted = accepted.includes(code)
  return {
    subject: whole(code),
    what: [isAccepted ? "accepted" : verdictWords[verdict]],
    notes: isAccepted ? [words] : [words, [table[code][1]]],
    rows: placeRows(
      alike.map(({ place, flag, environment }) => ({ place, whose: [flagWords(flag, environment)] })),
    ),
  }
}

/** Remarks with the same text, each of their flags and environments once, with all details. */
function sameRemarks(remarks: readonly PlacedRemark[]): readonly Same<PlacedRemark>[] {
  return sameBy(remarks, ({ text }) => text)
}

function remarkRow(alike: Same<PlacedRemark>): Row {
  const whoseRemark = ({ flag, environment, place }: PlacedRemark) =>
    JSON.stringify(flag === undefined ? [place] : [flag, environment])
  const places = sameBy(alike, whoseRemark).map((same) => {
    const [{ place, flag, environment }] = same
    const details = detailsOf(same)
    const whose = flag === undefined ? [] : [flagWords(flag, environment)]
    return { place, whose: details === undefined ? whose : [...whose, details] }
  })
  return { subject: [alike[0].text], rows: placeRows(places) }
}

/** The first details, without duplicates. */
function detailsOf(remarks: readonly PlacedRemark[]): Phrase | undefined {
  const details = new Map(remarks.flatMap(({ detail }) => (detail ? [[plainPhrase(detail), detail]] : [])))
  if (details.size === 0) return undefined
  const more = details.size > mostNamed ? [phrase`${details.size - mostNamed} more`] : []
  return joinPhrases([...[...details.values()].slice(0, mostNamed), ...more], ", ")
}

function flagWords(flag: string, environment: string | undefined): Phrase {
  return environment === undefined ? whole(flag) : phrase`${whole(flag)} in ${whole(environment)}`
}

/** A row for each of the first places. */
function placeRows(
  places: readonly { readonly place: Place; readonly whose: readonly Phrase[] }[],
): readonly Row[] {
  const more = places.length - mostNamed
  const rows = places.slice(0, mostNamed).map(({ place, whose }) => ({
    subject: whole(placeText(place)),
    ...(whose.length > 0 && { what: joinPhrases(whose, ": ") }),
  }))
  return more > 0 ? [...rows, { subject: [`and ${more} more`] }] : rows
}

function placeText({ file, line, pointer }: Place): string {
  return `${file}:${line} ${pointer === "" ? "/" : pointer}`
}
