import { seedName } from "../conditions/share-range.ts"
import { joinPhrases, type Phrase, phrase, whole } from "../diagnostics/phrase.ts"
import { plural } from "../diagnostics/plural.ts"
import { relativePath } from "../diagnostics/relative-path.ts"
import type { Share } from "../language/condition.ts"
import type { CommandReport, TableRow } from "../report/report.ts"
import { type StaleFlag, type StaleReason, writtenShare } from "./find-stale.ts"

/** A table of the stale flags. Times are relative to `now`, paths to `folder`. */
export function staleReport(stale: readonly StaleFlag[], now: number, folder: string): CommandReport {
  return {
    sections: [
      {
        kind: "table",
        columns: ["flag", "why", "keep", "blocked by", "owner"],
        rows: stale.map((flag) => rowOf(flag, now)),
      },
    ],
    data: () => stale.map((flag) => flagData(flag, folder)),
    comment: { nothing: "No flag is stale." },
  }
}

function rowOf(flag: StaleFlag, now: number): TableRow {
  const reasons = flag.reasons.map((reason) => sentence(reason, now))
  const keep = flag.keep === undefined ? [] : [whole(flag.keep)]
  const owner = flag.owner === "" ? [] : [whole(flag.owner)]
  return { cells: [[whole(flag.key)], reasons, keep, blockersOf(flag), owner] }
}

function flagData({ path, reasons, keep, ...flag }: StaleFlag, folder: string): object {
  return {
    ...flag,
    path: relativePath(folder, path),
    reasons: reasons.map(({ shares, ...reason }) => ({
      ...reason,
      since: dateOf(reason.since),
      ...(shares && { shares: shares.map(writtenShare) }),
    })),
    ...(keep !== undefined && { keep: JSON.parse(keep) }),
  }
}

/** `2 references and the flag banner`; empty if no code was searched and nothing depends on this flag. */
function blockersOf({ references, dependents, invariants }: StaleFlag): readonly Phrase[] {
  const named = (noun: string, names: readonly string[]) =>
    names.length === 0
      ? []
      : [phrase`${[`the ${noun}${names.length === 1 ? "" : "s"}`]} ${joinPhrases(names.map(whole), ", ")}`]
  const blockers = [
    ...(references ? [[plural(references, "reference")]] : []),
    ...named("flag", dependents),
    ...named("invariant", invariants),
  ]
  if (blockers.length === 0) return references === 0 ? [["no references"]] : []
  return [joinPhrases(blockers, " and ")]
}

/** `settled since 2026-08-30 (84 days) in staging, production`; a waiting flag waits `for` environments. */
function sentence({ state, since, environments, shares }: StaleReason, now: number): Phrase {
  const days = plural(Math.floor((now - since) / 86_400_000), "day")
  const place = state === "waiting" ? "for" : "in"
  const where = environments.length === 0 ? "" : ` ${place} ${environments.join(", ")}`
  const what = state === "over" ? ": make the ramp `always`" : ""
  const at = shares === undefined ? [] : phrase` at ${shareWords(shares)}`
  return phrase`${[state]}${at} since ${[`${dateOf(since)} (${days})${where}${what}`]}`
}

/** `10 % by customerId`, or `50 %, 40 % by customerId` for a split. */
function shareWords(shares: readonly Share[]): Phrase {
  const groups = Map.groupBy(shares, seedName)
  const words = [...groups.values()].flatMap((group) => {
    const [first] = group
    if (first === undefined) return []
    const sizes = group.map(({ from, to }) => `${Number((to - from).toFixed(3))} %`)
    const seed = first.seed === undefined ? [] : phrase` (seed ${whole(first.seed)})`
    return [phrase`${[sizes.join(", ")]} by ${whole(first.by)}${seed}`]
  })
  return joinPhrases(words, " and ")
}

const dateOf = (at: number) => new Date(at).toISOString().slice(0, 10)
