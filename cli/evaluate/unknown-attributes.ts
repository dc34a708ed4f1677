import { didYouMean, quoted, suggest } from "../diagnostics/suggest.ts"
import type { KnownAttributes } from "../language/known-attributes.ts"

/**
 * For each name that the project does not list, but that is close to one it lists: what is wrong, such as
 * "unknown attribute `pln`; did you mean `plan`?". Contexts may have attributes that no rule uses, so other names are fine.
 */
export function unknownAttributes(names: readonly string[], known: KnownAttributes): readonly string[] {
  if (known === undefined) return []
  const listed = [...known.keys()]
  return names
    .filter((name) => !known.has(name) && suggest(name, listed) !== undefined)
    .map((name) => `unknown attribute ${quoted(name)}${didYouMean(name, listed)}`)
}
