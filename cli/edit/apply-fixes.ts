import type { Diagnostic, Edit, SourceFile } from "../diagnostics/diagnostic.ts"
import { applyEdits } from "./apply-edits.ts"

/** A file after its fixes, and the number of fixes. */
export interface FixedFile {
  /** As it was read. */
  readonly read: SourceFile
  readonly source: SourceFile
  readonly fixes: number
}

/**
 * Returns the files that have fixes, with the fixes applied. All other text stays as it is. If two fixes overlap, only
 * the first is applied; the next run finds the other.
 */
export function applyFixes(diagnostics: readonly Diagnostic[]): readonly FixedFile[] {
  const byFile = new Map<string, { readonly source: SourceFile; readonly edits: Edit[] }>()
  for (const { location, fix } of diagnostics) {
    if (fix === undefined) continue
    const file = byFile.get(location.source.path) ?? { source: location.source, edits: [] }
    file.edits.push(fix)
    byFile.set(location.source.path, file)
  }
  return [...byFile.values()].map(({ source, edits }) => {
    const apart = withoutOverlaps(edits)
    return {
      read: source,
      source: { path: source.path, text: applyEdits(source.text, apart) },
      fixes: apart.length,
    }
  })
}

function withoutOverlaps(edits: readonly Edit[]): readonly Edit[] {
  let end = -1
  return edits
    .toSorted((a, b) => a.start - b.start || b.end - a.end)
    .filter((edit) => {
      if (edit.start < end) return false
      end = edit.end
      return true
    })
}
