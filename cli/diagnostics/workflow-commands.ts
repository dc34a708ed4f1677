import { printable } from "./printable.ts"
import { relativePath } from "./relative-path.ts"

/** A file's path relative to a folder, as a line of text may begin with it. */
export function printedPath(path: string, folder: string): string {
  return withoutCommands(printable(relativePath(folder, path)))
}

/**
 * Text in which GitHub's runner finds no command: it reads any line that begins with `::` or contains `##[` as one, and
 * file names may have both.
 */
export function withoutCommands(text: string): string {
  return text.replace(/^([^\S\n\r\u2028\u2029]*)::/gm, "$1%3A%3A").replaceAll("##[", "##%5B")
}
