import type { Edit } from "../diagnostics/diagnostic.ts"

/** A text with edits made that are in its order and do not overlap. */
export function applyEdits(text: string, edits: readonly Edit[]): string {
  return edits.reduceRight(
    (done, { start, end, text: replacement }) => done.slice(0, start) + replacement + done.slice(end),
    text,
  )
}
