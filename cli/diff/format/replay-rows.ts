import { type Phrase, phrase } from "../../diagnostics/phrase.ts"
import { plural } from "../../diagnostics/plural.ts"
import { changeWords } from "../../phrases/value-step.ts"
import type { Row } from "../../report/report.ts"
import type { Replay } from "../changes/replay.ts"

/** How many contexts get a different value, in a sentence without its full stop. */
export function replaySummary({ file, count, affected, unknown }: Replay): Phrase {
  const verb = (number: number, one: string) => [number === 1 ? `${one}s` : one]
  const also =
    unknown > 0
      ? phrase`; ${unknown} ${verb(unknown, "depend")} on an operator that only the project's SDKs support`
      : []
  return phrase`${affected} of ${[plural(count, "context")]} of ${file} ${verb(affected, "get")} a different value${also}`
}

/** Which contexts get which values, by flag and environment. Only the text has the contexts; the others name the lines. */
export function replayRows({ steps }: Replay): readonly Row[] {
  return steps.map(({ flag, environment, before, after, count, first }) => ({
    subject: phrase`${flag} in ${environment}`,
    what: phrase`${count} now ${[count === 1 ? "gets" : "get"]} ${changeWords(before, after)}`,
    rows: first.map(({ line, context }) => ({
      subject: [`line ${line}`],
      local: phrase`${JSON.stringify(context)}`,
    })),
  }))
}
