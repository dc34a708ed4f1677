import { quoted } from "../../diagnostics/suggest.ts"
import type { Outline } from "../definition/definition.ts"
import { keyLocation } from "../definition/validate.ts"
import type { ProjectCheck } from "./flag-check.ts"

/** No two flags have one key; two keys that differ only in case are one key to people and to some file systems. */
export const keysAreUnique: ProjectCheck = (outlines, _project, report) => {
  const byKey = new Map<string, Outline>()
  const byFoldedKey = new Map<string, Outline>()
  for (const outline of outlines) {
    const { key } = outline
    const twin = byKey.get(key)
    const cousin = byFoldedKey.get(key.toLowerCase())
    if (twin !== undefined) {
      report.add({
        code: "duplicate-key",
        message: `Two flags have the key ${quoted(key)}. Rename or remove one of the files.`,
        ...keyLocation(outline),
        related: [{ message: "The other is here.", location: keyLocation(twin) }],
      })
    } else if (cousin !== undefined) {
      report.add({
        code: "key-differs-in-case",
        message: `${quoted(key)} differs from ${quoted(cousin.key)} only in case. Give one of them another key.`,
        ...keyLocation(outline),
        related: [{ message: "The other is here.", location: keyLocation(cousin) }],
      })
    }
    byKey.set(key, outline)
    byFoldedKey.set(key.toLowerCase(), outline)
  }
}
