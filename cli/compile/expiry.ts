import type { Source } from "../diagnostics/diagnostic.ts"
import { quoted } from "../diagnostics/suggest.ts"
import { isDate } from "./operand.ts"
import type { ScalarNode } from "./tree.ts"

/** What is said of an `expires` that is no date. */
export function expiryLaw(written: Pick<ScalarNode, "start" | "end">, source: Source): string {
  const text = source.text.slice(written.start, written.end)
  return `\`expires\` must be an RFC 3339 date, such as 2027-03-01, not ${quoted(text)}.`
}

/** The moment of an `expires`, in milliseconds since the epoch: a day expires as it begins, in UTC. `undefined`: no date. */
export function expiryOf(text: string): number | undefined {
  if (!isDate(text)) return undefined
  // No JavaScript date has a leap second: the one before it will do.
  const moment = Date.parse(text.replace(/:60(?=[.Zz+-])/, ":59").toUpperCase())
  return Number.isNaN(moment) ? undefined : moment
}
