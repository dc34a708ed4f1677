import { relative, sep } from "node:path"

/** A path relative to a folder, with `/` on every system; empty for the folder itself. */
export function relativePath(folder: string, path: string): string {
  return relative(folder, path).replaceAll(sep, "/")
}
