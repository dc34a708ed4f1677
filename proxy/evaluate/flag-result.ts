import type { Json } from "../../sdk/contract/snapshot.ts"
import type { Resolution } from "../../sdk/evaluation/resolution.ts"

/** OFREP's answer for one flag. It is the same for all contexts with the same evaluation, so it is created once. */
export interface FlagResult {
  /** An object: the element of the bulk answer. */
  readonly text: string
  /** Why the flag has no value; `undefined`: it has one. */
  readonly failure: (Resolution & { readonly kind: "failed" }) | undefined
}

/** `isFloat`: the flag is a number that need not be whole. */
export function createFlagResult(resolution: Resolution, isFloat: boolean): FlagResult {
  const text = format(resolution, isFloat)
  const failure = resolution.kind === "failed" ? resolution : undefined
  return { text, failure }
}

function format(resolution: Resolution, isFloat: boolean): string {
  if (resolution.kind === "failed") {
    const { key, errorCode, errorDetails } = resolution
    return JSON.stringify({ key, errorCode, errorDetails })
  }
  const { key, value, reason, variant } = resolution
  const rest = JSON.stringify({ reason, variant }).slice(1)
  return `{"key":${JSON.stringify(key)},"value":${isFloat ? formatFloat(value) : JSON.stringify(value)},${rest}`
}

/** Writes `1` as `1.0`: clients in Python, Java, Ruby and Rust read `1` only as an integer, and `1.0` only as a float. */
function formatFloat(value: Json): string {
  const text = JSON.stringify(value)
  return /^-?\d+$/.test(text) ? `${text}.0` : text
}
