import { parseMoment } from "../../sdk/evaluation/moment.ts"
import { badExpiry } from "../reading/hints/expiry.ts"
import type { Check } from "./check.ts"

/** `expires` is a date that exists in the calendar. */
export const expiriesAreDates: Check = ({ source, expires }, _project, report) => {
  if (expires === undefined || parseMoment(expires.text) !== undefined) return
  report.add(badExpiry(expires.span, source))
}
