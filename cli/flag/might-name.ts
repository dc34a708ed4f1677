import { basename } from "node:path"
import { isSegmentPath, segmentNameOf } from "../reading/files/file-names.ts"

/** The name by which other files refer to a segment, a list or a schema. */
export function nameIn(path: string): string {
  return isSegmentPath(path) ? segmentNameOf(path) : basename(path)
}

/**
 * Whether a text may have one of the names, in whatever notation of YAML. A value differs from its text only by the escapes of double
 * quotes, by doubled single quotes, and by lines that are folded into one at a blank (YAML 1.2.2, 5.7 and 6.5).
 */
export function mightName(text: string, names: ReadonlySet<string>): boolean {
  if (names.size === 0) return false
  const texts = text.includes("\\") ? [text, unescaped(text)] : [text]
  const folded = [...names].some((name) => /[\s']/.test(name)) ? texts.map(foldedText) : texts
  return [...names].some((name) => {
    const isFolded = /[\s']/.test(name)
    return (isFolded ? folded : texts).some((each) => each.includes(isFolded ? foldedText(name) : name))
  })
}

/** A text in which any blanks are one, and any single quotes. */
function foldedText(text: string): string {
  return text.replace(/\s+/g, " ").replace(/'+/g, "'")
}

/** A text without the escapes of double-quoted scalars that a name can contain. */
function unescaped(text: string): string {
  return text.replace(escapes, (written, x, u, longer, sign = "") => {
    const code: string | undefined = x ?? u ?? longer
    if (code === undefined) return sign === "_" ? "\u00a0" : sign
    const point = Number.parseInt(code, 16)
    return point > 0x10_ffff ? written : String.fromCodePoint(point)
  })
}

const escapes = /\\(?:x([\da-fA-F]{2})|u([\da-fA-F]{4})|U00([\da-fA-F]{6})|\r?\n\s*|([ "/\\_]))/g
