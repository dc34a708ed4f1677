import type { Json } from "../../sdk/contract/snapshot.ts"
import type { Resolution } from "../../sdk/evaluation/resolution.ts"
import { contentHeaders, type HeaderPairs, neverCache } from "../http/headers.ts"

/** OFREP's answer for one flag. It is the same for all contexts with the same evaluation, so it is created once. */
export interface FlagResult {
  /** An object: the element of the bulk answer. */
  readonly text: string
  /** The answer for this flag alone, with the document's `metadata`. */
  readonly alone: { readonly text: string; readonly headers: HeaderPairs }
  /** Why the flag has no value; `undefined`: it has one. */
  readonly failure: (Resolution & { readonly kind: "failed" }) | undefined
}

/** `isFloat`: the flag is a number that need not be whole. `metadata` is JSON. */
export function createFlagResult(resolution: Resolution, isFloat: boolean, metadata: string): FlagResult {
  const text = format(resolution, isFloat)
  let alone: FlagResult["alone"] | undefined
  return {
    text,
    get alone() {
      alone ??= responseOf(withField(text, "metadata", metadata))
      return alone
    },
    failure: resolution.kind === "failed" ? resolution : undefined,
  }
}

function responseOf(text: string): FlagResult["alone"] {
  return { text, headers: [...contentHeaders(Buffer.byteLength(text)), ...neverCache] }
}

/** Adds a field to the JSON of an object that has some. */
export function withField(object: string, name: string, value: string): string {
  return `${object.slice(0, -1)},"${name}":${value}}`
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
