import type { Report } from "../../diagnostics/diagnostic.ts"
import { parseDate } from "../definition/date.ts"
import type { Definition } from "../definition/definition.ts"

/** A flag does not outlive its `expires`. What time it is, in milliseconds since the epoch, the caller says. */
export function flagsHaveNotExpired(definitions: readonly Definition[], now: number, report: Report): void {
  for (const { source, key, expires } of definitions) {
    const moment = expires === undefined ? undefined : parseDate(expires.text)
    if (expires === undefined || moment === undefined || moment > now) continue
    const days = Math.floor((now - moment) / 86_400_000)
    const since = days === 0 ? "today" : days === 1 ? "yesterday" : `${days} days ago`
    report.add({
      code: "expired",
      message: `\`${key}\` expired ${since}. Take it out of the code and remove this file, or give it a later date.`,
      source,
      span: expires.span,
    })
  }
}
