import { parseDate } from "../definition/date.ts"
import { expiryLaw } from "../definition/expiry.ts"
import type { Law } from "./flag-check.ts"

/** `expires` is a date that the calendar has. */
export const expiriesAreDates: Law = (definitions, _project, report) => {
  for (const { source, expires } of definitions) {
    if (expires === undefined || parseDate(expires.text) !== undefined) continue
    report.add({ code: "bad-expiry", message: expiryLaw(expires.span, source), source, span: expires.span })
  }
}
