import { parseMoment } from "../../sdk/evaluation/moment.ts"
import type { Report } from "../diagnostics/diagnostic.ts"
import type { Flag } from "../language/flag.ts"

/** A flag does not outlive its `expires`. `now` is in milliseconds since 1970. */
export function flagsHaveNotExpired({ source, key, expires }: Flag, now: number, report: Report): void {
  const expiry = expires === undefined ? undefined : parseMoment(expires.text)
  if (expires === undefined || expiry === undefined || expiry > now) return
  const days = Math.floor((now - expiry) / 86_400_000)
  const since = days === 0 ? "today" : days === 1 ? "yesterday" : `${days} days ago`
  report.add({
    code: "expired",
    message: `\`${key}\` expired ${since}. Remove it from the code and delete this file, or set a later date.`,
    source,
    span: expires.span,
  })
}
