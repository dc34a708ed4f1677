import { Failure } from "../failure.ts"
import type { Host } from "../host.ts"

/**
 * The time that `SOURCE_DATE_EPOCH` (reproducible-builds.org) sets in place of now, in seconds since 1970. Throws `Failure`
 * if the variable is anything else.
 */
export function readSourceDateEpoch({ SOURCE_DATE_EPOCH: text }: Host["env"]): number | undefined {
  if (text === undefined) return undefined
  if (/^\d{1,12}$/.test(text)) return Number(text)
  throw new Failure(`SOURCE_DATE_EPOCH must be seconds since 1970, not ${JSON.stringify(text)}`)
}
