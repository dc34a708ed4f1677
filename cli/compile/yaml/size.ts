import type { Span } from "../../diagnostics/diagnostic.ts"
import { type Reading, refuse } from "./reading.ts"

/** Aliases can make a short text stand for billions of values ("billion laughs"), so they count written out. */
const maxValues = 20_000

/** Counts values; more than a file may have are refused once. */
export function count(reading: Reading, size: number, span: Span): void {
  const before = reading.size
  reading.size += size
  if (before > maxValues || reading.size <= maxValues) return
  const message = `With its aliases written out, the file has more than ${maxValues} values. Write fewer.`
  refuse(reading, "too-many-nodes", message, span)
}

/** What a text counts: one more for every 1,000 characters, since aliases can repeat it. */
export function sizeOfText({ start, end }: Span): number {
  return 1 + Math.floor((end - start) / 1000)
}
