import type { Json } from "../../sdk/contract/snapshot.ts"

/** JSON text that is equal for equal values: no spaces, members sorted by code units (as RFC 8785 does). */
export function canonicalJson(value: Json): string {
  if (typeof value !== "object" || value === null) return JSON.stringify(value)
  let text = ""
  if (Array.isArray(value)) {
    for (const item of value) text += `${text === "" ? "[" : ","}${canonicalJson(item)}`
    return text === "" ? "[]" : `${text}]`
  }
  const members = value as { readonly [name: string]: Json }
  for (const name of Object.keys(members).sort())
    text += `${text === "" ? "{" : ","}${JSON.stringify(name)}:${canonicalJson(members[name] as Json)}`
  return text === "" ? "{}" : `${text}}`
}

/** Whether two JSON values are equal, in any order of members. */
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
