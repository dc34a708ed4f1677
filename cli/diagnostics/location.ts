import { relative, sep } from "node:path"
import type { Location } from "./diagnostic.ts"
import { positionOf } from "./position.ts"

/** The place's file as seen from a folder, parted by `/` on every system. */
export function pathOf({ source }: Location, folder: string): string {
  return relative(folder, source.path).replaceAll(sep, "/")
}

/** The lines and columns of a place, from 1; the end is where the span no longer is. */
export function rangeOf({ source, span }: Location) {
  const start = positionOf(source, span.start)
  const end = positionOf(source, span.end)
  return { line: start.line, column: start.column, endLine: end.line, endColumn: end.column }
}
