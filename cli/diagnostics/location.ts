import type { Location } from "./diagnostic.ts"
import { positionOf } from "./position.ts"
import { relativePath } from "./relative-path.ts"

/** The location's file relative to a folder, with `/` on every system. */
export function pathOf({ source }: Location, folder: string): string {
  return relativePath(folder, source.path)
}

/** The lines and columns of a location, from 1; the end is exclusive. */
export function rangeOfLocation({ source, span }: Location) {
  const start = positionOf(source, span.start)
  const end = positionOf(source, span.end)
  return { line: start.line, column: start.column, endLine: end.line, endColumn: end.column }
}
