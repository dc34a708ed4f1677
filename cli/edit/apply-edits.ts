import type { Edit } from "../diagnostics/diagnostic.ts"

/** Applies edits, which are in the order of the text and do not overlap. */
export function applyEdits(text: string, edits: readonly Edit[]): string {
  return edits.reduceRight(
    (done, { start, end, text: replacement }) => done.slice(0, start) + replacement + done.slice(end),
    text,
  )
}
