import type { Json } from "../../proxy/contract/snapshot.ts"

/** What an application asked for. */
export type Expected = "boolean" | "string" | "number" | "object"

/** Whether a value is of the asked type. Null is none: who asks for an object goes on to read its members. */
export function isExpected<T>(value: Json, expected: Expected): value is Json & T {
  return value !== null && typeof value === expected
}
