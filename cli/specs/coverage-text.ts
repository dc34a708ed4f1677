import { plural } from "../diagnostics/format-text.ts"
import { pathOf, rangeOfLocation } from "../diagnostics/location.ts"
import { printable } from "../diagnostics/printable.ts"
import { phrase, plainPhrase } from "../phrases/phrase.ts"
import type { CountedOutcome } from "./coverage.ts"
import { contextText, percent } from "./diagnose.ts"
import { type CoveredOutcome, percentCovered } from "./test-run.ts"

/** A line for each outcome that no case covers, and the total. */
export function formatCoverage(outcomes: readonly CoveredOutcome[], folder: string): string {
  const lines = outcomes
    .filter(({ hits }) => hits === 0)
    .map((outcome) => {
      const path = printable(pathOf(outcome.location, folder))
      const place = `${path}:${rangeOfLocation(outcome.location).line}`
      const { flag, environment, witness } = outcome
      const hint = witness === undefined ? phrase`` : phrase`; try the context ${contextText(witness)}`
      return plainPhrase(
        phrase`${[place]} ${flag}, ${[outcomeWords(outcome)]} in ${environment} is not covered${hint}`,
      )
    })
  const total = `${percent(percentCovered(outcomes))} % of ${plural(outcomes.length, "outcome")} covered`
  return `${[...lines, total].join("\n")}\n`
}

/** An outcome's name: `rule 2`, `default`, `disabled` or `unconfigured`. */
export function outcomeWords({ by }: CountedOutcome): string {
  return typeof by === "number" ? `rule ${by + 1}` : by
}
