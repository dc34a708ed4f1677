import { commentText } from "./comment-text.ts"
import type { DeclaredFlag } from "./declared-flags.ts"

/** The flags as OpenFeature's CLI reads them: its flag manifest, version 0. */
export function manifestText(flags: readonly DeclaredFlag[]): string {
  const members = flags.map(({ key, type, defaultValue, description }) => {
    const text = commentText(description)
    return [key, { flagType: type, defaultValue, ...(text !== "" && { description: text }) }] as const
  })
  // Of entries, not by assignment: a flag may be called __proto__.
  const manifest = { $schema: schema, flags: Object.fromEntries(members) }
  return `${JSON.stringify(manifest, null, 2)}\n`
}

const schema =
  "https://raw.githubusercontent.com/open-feature/cli/refs/heads/main/schema/v0/flag-manifest.json"

/**
 * Sentences that say where code that OpenFeature's CLI generates does not compile. It takes `-`, `_`, `.` and blanks out of keys to make names of
 * functions, leaves all else in, and does not look whether two keys give the same name.
 */
export function unusableNames(flags: readonly DeclaredFlag[]): readonly string[] {
  const found: string[] = []
  const names = new Map<string, string>()
  for (const { key } of flags) {
    if (!/^[\p{L}_][\p{L}\p{N}._ -]*$/u.test(key))
      found.push(`${key} gives no name of a function: generated code does not compile`)
    const name = key.replace(/[._ -]/g, "").toLowerCase()
    const other = names.get(name)
    if (other !== undefined)
      found.push(`${other} and ${key} give the same name of a function: generated code does not compile`)
    names.set(name, key)
  }
  return found
}
