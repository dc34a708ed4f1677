import { quoted } from "../../diagnostics/suggest.ts"
import type { Outline } from "../definition/definition.ts"
import { keyLocation } from "../definition/validate.ts"
import type { ProjectCheck } from "./check.ts"

/** No two flags have the same key. Keys that differ only in case look the same to readers and to some file systems. */
export const keysAreUnique: ProjectCheck = (outlines, _project, report) => {
  const byKey = new Map<string, Outline>()
  const byFoldedKey = new Map<string, Outline>()
  for (const outline of outlines) {
    const { key } = outline
    const sameKey = byKey.get(key)
    const similarKey = byFoldedKey.get(key.toLowerCase())
    if (sameKey !== undefined) {
      report.add({
        code: "duplicate-key",
        message: `Two flags have the key ${quoted(key)}. Rename or remove one of the files.`,
        ...keyLocation(outline),
        related: [{ message: "The other is here.", location: keyLocation(sameKey) }],
      })
    } else if (similarKey !== undefined) {
      report.add({
        code: "key-differs-in-case",
        message: `${quoted(key)} differs from ${quoted(similarKey.key)} only in case. Give one of them a different key.`,
        ...keyLocation(outline),
        related: [{ message: "The other is here.", location: keyLocation(similarKey) }],
      })
    }
    byKey.set(key, outline)
    byFoldedKey.set(key.toLowerCase(), outline)
  }
}
