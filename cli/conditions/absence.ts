import type { ContextSet } from "./context-set.ts"

/** Attributes as bits of a number. Some share a bit, so only a bit that is not set is certain. */
export type AttributeBits = number

export function bitOf(attribute: string): AttributeBits {
  let hash = 0
  for (let index = 0; index < attribute.length; index++) hash = (hash * 37 + attribute.charCodeAt(index)) & 31
  return 1 << hash
}

/** The attributes whose absence alone meets a union: one of its parts has every context without the attribute. */
export function metWithout(parts: readonly ContextSet[]): AttributeBits {
  let bits = 0
  for (const part of parts)
    if (part.kind === "predicate" && part.predicate.matches(undefined) === part.holds)
      bits |= bitOf(part.predicate.attribute)
  return bits
}
