import type { Diagnostic, Edit, Source } from "../diagnostics/diagnostic.ts"

/** A file with the mends of its mistakes made, and how many they were. */
export interface MendedFile {
  readonly source: Source
  readonly mends: number
}

/**
 * The files whose mistakes have a certain mend, with the text that they then have. All other text stays as it is.
 * Of two mends that touch each other the first in the file is made; the next run finds the other.
 */
export function applyMends(diagnostics: readonly Diagnostic[]): readonly MendedFile[] {
  const byFile = new Map<string, { readonly source: Source; readonly edits: Edit[] }>()
  for (const { place, mend } of diagnostics) {
    if (mend === undefined) continue
    const file = byFile.get(place.source.path) ?? { source: place.source, edits: [] }
    file.edits.push(mend)
    byFile.set(place.source.path, file)
  }
  return [...byFile.values()].map(({ source, edits }) => {
    const apart = withoutOverlaps(edits)
    return { source: { path: source.path, text: applyEdits(source.text, apart) }, mends: apart.length }
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

function applyEdits(text: string, edits: readonly Edit[]): string {
  return edits.reduceRight(
    (done, { start, end, text: by }) => done.slice(0, start) + by + done.slice(end),
    text,
  )
}
