import { pathOf, rangeOfLocation } from "../diagnostics/location.ts"
import { printable } from "../diagnostics/printable.ts"
import type { CoveredOutcome } from "./test-run.ts"

/**
 * The coverage as an LCOV tracefile (geninfo, FILES): the lines of rules and of flags' defaults, with how often the cases
 * reached them.
 */
export function formatLcov(outcomes: readonly CoveredOutcome[], folder: string): string {
  const byFile = Map.groupBy(outcomes, ({ location }) => pathOf(location, folder))
  return [...byFile]
    .map(([file, own]) => {
      const byLine = Map.groupBy(own, ({ location }) => rangeOfLocation(location).line)
      const lines = [...byLine]
        .sort(([a], [b]) => a - b)
        // A line of several outcomes is covered when all of them are.
        .map(([line, outcomesThere]) => [line, Math.min(...outcomesThere.map(({ hits }) => hits))] as const)
      const hit = lines.filter(([, hits]) => hits > 0).length
      return [
        "TN:flagstone",
        `SF:${printable(file)}`,
        ...lines.map(([line, hits]) => `DA:${line},${hits}`),
        `LF:${lines.length}`,
        `LH:${hit}`,
        "end_of_record",
        "",
      ].join("\n")
    })
    .join("")
}
