/**
 * Whether an `If-None-Match` header (RFC 9110, 13.1.2) names the strong `etag`, compared weakly, because intermediaries
 * that compress weaken the tag. Understands lists and `*`; anything but an entity tag matches nothing. `null`: the
 * request has no such header.
 */
export function matchesETag(header: string | null, etag: string): boolean {
  if (header === null) return false
  if (header === etag || header === "*") return true
  entityTag.lastIndex = 0
  for (let found = entityTag.exec(header); found !== null; found = entityTag.exec(header))
    if (found[1] === etag) return true
  return false
}

/** An element of the list with the commas before it. Sticky, so that each character is read only once. */
const entityTag = /[\s,]*(?:W\/)?("[^"]*")\s*(?=,|$)/y
