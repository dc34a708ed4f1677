import { isUtf8 } from "node:buffer"
import { isObject } from "../../sdk/contract/parsed.ts"
import type { Context } from "../../sdk/evaluation/evaluation.ts"
import { type AttributeLimits, measureContext } from "../evaluate/attribute-limits.ts"

/** The content of a request's body. `errorCode` is one of OpenFeature's. */
export type ParsedContext =
  /** `bytes` is what its attributes have together. */
  | { readonly kind: "context"; readonly context: Context; readonly bytes: number }
  | {
      readonly kind: "invalid"
      readonly errorCode: "PARSE_ERROR" | "INVALID_CONTEXT"
      readonly errorDetails: string
    }

/**
 * Reads `{"context": {…}}`, whatever its `Content-Type`. A missing body, a missing context and a context that is null
 * count as a context without attributes; `targetingKey` is an ordinary, optional attribute. Attributes beyond the
 * limits are refused.
 */
export function parseContext(body: Buffer, limits: AttributeLimits): ParsedContext {
  if (body.length === 0) return { kind: "context", context: noAttributes, bytes: 0 }
  const parsed = parse(body)
  if (!isObject(parsed)) return { kind: "invalid", errorCode: "PARSE_ERROR", errorDetails: notAnObject }
  const context = Object.hasOwn(parsed, "context") ? (parsed.context ?? noAttributes) : noAttributes
  if (!isObject(context)) return invalidContext("context is not an object")
  const measured = measureContext(context, limits)
  return measured.kind === "excess"
    ? invalidContext(measured.description)
    : { kind: "context", context, bytes: measured.bytes }
}

function invalidContext(errorDetails: string): ParsedContext {
  return { kind: "invalid", errorCode: "INVALID_CONTEXT", errorDetails }
}

/** `undefined`: it is not JSON. */
function parse(body: Buffer): unknown {
  try {
    return isUtf8(body) ? JSON.parse(body.toString()) : undefined
  } catch {
    return undefined
  }
}

const noAttributes: Context = Object.freeze({})
const notAnObject = "The body is not a JSON object"
