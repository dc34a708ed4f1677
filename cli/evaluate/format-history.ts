import { phrase, plainPhrase } from "../diagnostics/phrase.ts"
import { printable } from "../diagnostics/printable.ts"
import { withPlace } from "./format-text.ts"
import { jsonLine } from "./json-line.ts"
import type { Moment, ValueChange } from "./value-history.ts"

/** The flag and environment of a history, and whether it begins with the flag. */
export interface HistoryOf {
  readonly key: string
  readonly environment: string
  /** Why older changes are unknown; `undefined`: there are none. */
  readonly cut: string | undefined
}

/** A line for each change, newest first, and one that says where they begin. */
export function formatHistory(changes: readonly ValueChange[], of: HistoryOf): string {
  const lines = changes.toReversed().map(({ moment, answer }) => {
    const what =
      typeof answer === "string" ? plainPhrase(wordsFor(answer, of)) : withPlace(answer.sentence, answer.rule)
    return [moment.since ?? "not committed yet", what, printable(sourceWords(moment))].join("  ").trimEnd()
  })
  return `${[...lines, of.cut ?? "nothing else changed it since the flag was created"].join("\n")}\n`
}

function sourceWords({ revision = "", author = "", subject, request, rollback }: Moment): string {
  const name = revision.slice(0, 10)
  if (rollback !== undefined)
    return `rolled back to ${name}${rollback.by === undefined ? "" : ` by ${rollback.by}`}${rollback.reason === undefined ? "" : `: ${rollback.reason}`}`
  return `${name}${subject === undefined ? "" : ` ${author}: ${subject}`}${request === undefined ? "" : ` ${request}`}`
}

/**
 * A line of JSON for each change, newest first: the members of `evaluate`, with `since`, `author`, `subject`, `request` and
 * `rollback`. Without a value, `cause` is `unknownFlag` or `broken`. `isFirst` marks the beginning of the flag.
 */
export function formatHistoryJson(changes: readonly ValueChange[], of: HistoryOf): string {
  const { key, environment, cut } = of
  const lines = changes.map(({ moment: { revision, ...moment }, answer }, at) => {
    const isFirst = at === 0 && cut === undefined ? true : undefined
    const own = { ...moment, isFirst }
    if (typeof answer !== "string") return jsonLine({ ...own, ...answer })
    const cause = answer === "broken" ? answer : "unknownFlag"
    const sentence = plainPhrase(wordsFor(answer, of))
    return jsonLine({ ...own, key, environment, revision, cause, rule: null, sentence })
  })
  return lines.toReversed().join("")
}

function wordsFor(answer: "broken" | "absent", { key, environment }: HistoryOf) {
  return answer === "absent"
    ? phrase`${key} does not exist in ${environment}`
    : phrase`${key}, or something that it may depend on, has mistakes, so nothing can be built and its value in ${environment} stays`
}
