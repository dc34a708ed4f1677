import { isDate } from "../operand.ts"
import type { Law } from "./law.ts"

/** `expires` is a date that the calendar has. */
export const expiriesAreDates: Law = (definitions, _project, report) => {
  for (const { source, expires } of definitions) {
    if (expires === undefined || isDate(expires.text)) continue
    const message = `\`expires\` must be an RFC 3339 date, such as 2027-03-01, not \`${expires.text}\`.`
    report.add({ code: "bad-expiry", message, source, span: expires.span })
  }
}
