import type { ContextSet } from "./context-set.ts"

/** Attributes as bits of a number. Some share a bit, so only a bit that is not set is certain. */
export type AttributeBits = number

export function bitOf(attribute: string): AttributeBits {
  let hash = 0
  for (let index = 0; index < attribute.length; index++) hash = (hash * 37 + attribute.charCodeAt(index)) & 31
  return 1 << hash
}

/** The attributes of a union's parts that have every context without the attribute: where it is absent, the union is met. */
export function metWithout(parts: readonly ContextSet[]): AttributeBits {
  let bits = 0
  for (const part of parts)
    if (part.kind === "predicate" && part.predicate.matches(undefined) === part.holds)
      bits |= bitOf(part.predicate.attribute)
  return bits
}
