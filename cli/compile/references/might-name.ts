import { basename } from "node:path"
import { isSegmentPath, segmentNameOf } from "../read/file-names.ts"

/** The name by which other files refer to a segment, a list or a schema. */
export function nameIn(path: string): string {
  return isSegmentPath(path) ? segmentNameOf(path) : basename(path)
}

/** Whether a text may have one of the names, perhaps with escapes. */
export function mightName(text: string, names: ReadonlySet<string>): boolean {
  if (names.size === 0) return false
  const texts = text.includes("\\") ? [text, unescaped(text)] : [text]
  return [...names].some((name) => texts.some((each) => each.includes(name)))
}

/** A text without the escapes of double-quoted scalars that a name can contain (YAML 1.2.2, 5.7). */
function unescaped(text: string): string {
  return text.replace(escapes, (_, x, u, longer, sign = "") => {
    const code: string | undefined = x ?? u ?? longer
    return code === undefined ? sign : String.fromCodePoint(Number.parseInt(code, 16))
  })
}

const escapes = /\\(?:x([\da-fA-F]{2})|u([\da-fA-F]{4})|U000([\da-fA-F]{5})|\r?\n[ \t]*|([ "/\\]))/g
