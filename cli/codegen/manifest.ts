import { commentText } from "../diagnostics/comment-text.ts"
import { printableJson } from "../diagnostics/printable.ts"
import type { DeclaredFlag } from "./declared-flags.ts"

/** The flags as OpenFeature's CLI reads them: its flag manifest, version 0. */
export function manifestText(flags: readonly DeclaredFlag[]): string {
  const members = flags.map(({ key, type, defaultValue, description }) => {
    const text = commentText(description)
    return [key, { flagType: type, defaultValue, ...(text !== "" && { description: text }) }] as const
  })
  // From entries, not by assignment: a flag may be called __proto__.
  const manifest = { $schema: schema, flags: Object.fromEntries(members) }
  return `${printableJson(JSON.stringify(manifest, null, 2))}\n`
}

const schema =
  "https://raw.githubusercontent.com/open-feature/cli/refs/heads/main/schema/v0/flag-manifest.json"
