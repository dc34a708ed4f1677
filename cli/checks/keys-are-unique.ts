import { quoted } from "../diagnostics/suggest.ts"
import type { Flag } from "../language/flag.ts"
import { keyLocation } from "../reading/read-flag.ts"
import type { ProjectCheck } from "./check.ts"

/** No two flags have the same key. Keys that differ only in case look the same to readers and to some file systems. */
export const keysAreUnique: ProjectCheck = (flags, _project, report) => {
  const byKey = new Map<string, Flag>()
  const byFoldedKey = new Map<string, Flag>()
  for (const flag of flags) {
    const { key } = flag
    const sameKey = byKey.get(key)
    const similarKey = byFoldedKey.get(key.toLowerCase())
    if (sameKey !== undefined) {
      report.add({
        code: "duplicate-key",
        message: `Two flags have the key ${quoted(key)}. Rename or remove one of the files.`,
        ...keyLocation(flag),
        related: [{ message: "The other is here.", location: keyLocation(sameKey) }],
      })
    } else if (similarKey !== undefined) {
      report.add({
        code: "key-differs-in-case",
        message: `${quoted(key)} differs from ${quoted(similarKey.key)} only in case. Give one of them a different key.`,
        ...keyLocation(flag),
        related: [{ message: "The other is here.", location: keyLocation(similarKey) }],
      })
    }
    byKey.set(key, flag)
    byFoldedKey.set(key.toLowerCase(), flag)
  }
}
