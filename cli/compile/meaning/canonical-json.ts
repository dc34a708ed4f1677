import type { Json } from "../../../proxy/contract/snapshot.ts"
import { compareText } from "../../diagnostics/diagnostic.ts"

/** JSON text that is equal for equal values: no spaces, members sorted by code units (as RFC 8785 does). */
export function canonicalJson(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(",")}]`
  if (typeof value !== "object" || value === null) return JSON.stringify(value)
  const members = Object.entries(value as { readonly [name: string]: Json })
    .sort(([a], [b]) => compareText(a, b))
    .map(([name, member]) => `${JSON.stringify(name)}:${canonicalJson(member)}`)
  return `{${members.join(",")}}`
}

/** Equality of JSON values, whatever the order of members. */
export function sameValue(a: Json | undefined, b: Json | undefined): boolean {
  if (a === b) return true
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return false
  if (Array.isArray(a) || Array.isArray(b))
    return (
      Array.isArray(a) &&
      Array.isArray(b) &&
      a.length === b.length &&
      a.every((item, at) => sameValue(item, b[at]))
    )
  const [one, other] = [Object.entries<Json>(a), b as { readonly [name: string]: Json }]
  return (
    one.length === Object.keys(b).length &&
    one.every(([name, value]) => Object.hasOwn(b, name) && sameValue(value, other[name]))
  )
}
