import { parseDate } from "../definition/date.ts"
import { expiryRule } from "../definition/expiry.ts"
import type { Check } from "./flag-check.ts"

/** `expires` is a date that the calendar has. */
export const expiriesAreDates: Check = (definitions, _project, report) => {
  for (const { source, expires } of definitions) {
    if (expires === undefined || parseDate(expires.text) !== undefined) continue
    report.add({ code: "bad-expiry", message: expiryRule(expires.span, source), source, span: expires.span })
  }
}
