import { printable } from "../diagnostics/printable.ts"
import { withPlace } from "./format-text.ts"
import { jsonLine } from "./json-line.ts"
import type { Moment, ValueChange } from "./value-history.ts"

/**
 * A line for each change, newest first, and one that says where they begin. `cut`: why older changes are unknown; `undefined`: there
 * are none.
 */
export function formatHistory(changes: readonly ValueChange[], cut: string | undefined): string {
  const lines = changes.toReversed().map(({ moment, answer: { sentence, rule } }) => {
    const words = printable(sourceWords(moment))
    return [moment.since ?? "not committed yet", withPlace(sentence, rule), words].join("  ").trimEnd()
  })
  return `${[...lines, cut ?? "nothing else changed it since the flag was created"].join("\n")}\n`
}

function sourceWords({ revision = "", author = "", subject, request, rollback }: Moment): string {
  const name = revision.slice(0, 10)
  if (rollback !== undefined)
    return `rolled back to ${name}${rollback.by === undefined ? "" : ` by ${rollback.by}`}${rollback.reason === undefined ? "" : `: ${rollback.reason}`}`
  return `${name}${subject === undefined ? "" : ` ${author}: ${subject}`}${request === undefined ? "" : ` ${request}`}`
}

/**
 * A line of JSON for each change, newest first: the members of `evaluate`, with `since`, `author`, `subject`, `request` and
 * `rollback`. `isFirst` marks the beginning of the flag.
 */
export function formatHistoryJson(changes: readonly ValueChange[], cut: string | undefined): string {
  const lines = changes.map(({ moment: { revision: _, ...moment }, answer }, at) => {
    const isFirst = at === 0 && cut === undefined ? true : undefined
    return jsonLine({ ...moment, isFirst, ...answer })
  })
  return lines.toReversed().join("")
}
