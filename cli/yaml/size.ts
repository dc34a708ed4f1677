import type { Span } from "../diagnostics/diagnostic.ts"
import { type Reading, refuse } from "./reading.ts"

/** Aliases can make a short text stand for billions of values ("billion laughs"), so each alias counts as its value. */
const maxValues = 20_000

/** Counts values, and refuses the file once it has too many. */
export function count(reading: Reading, size: number, span: Span): void {
  const before = reading.size
  reading.size += size
  if (before > maxValues || reading.size <= maxValues) return
  const howCounted = reading.anchors.length === 0 ? "The file" : "With its aliases written out, the file"
  const message = `${howCounted} has more than ${maxValues} values. Use fewer.`
  refuse(reading, "too-many-nodes", message, span)
}

/** Long texts count as one more value per 1,000 characters, since aliases can repeat them. */
export function sizeOfText({ start, end }: Span): number {
  return 1 + Math.floor((end - start) / 1000)
}
