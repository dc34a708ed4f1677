/**
 * What the engine is given for an expression. Its `\p{C}` has characters that are not assigned, which RE2's has not, so the categories
 * in it are written out.
 */
export function engineSource(source: string): string {
  return source.replace(parts, (part, sign?: string, inverse?: string) => {
    if (part.startsWith("[")) return part.replace(others, (other, ...signs) => categoriesOf(other, ...signs))
    return sign === undefined ? part : `[${categoriesOf(part, sign, inverse)}]`
  })
}

function categoriesOf(part: string, sign?: string, inverse = ""): string {
  if (sign === undefined) return part
  return (sign === "P") === (inverse === "^") ? assigned : notOther
}

const assigned = "\\p{Cc}\\p{Cf}\\p{Co}\\p{Cs}"
const notOther = "\\p{L}\\p{M}\\p{N}\\p{P}\\p{S}\\p{Z}\\p{Cn}"

/** In a class, or between `\Q` and `\E`, it is not a class of its own. */
const parts =
  /\\Q.*?(?:\\E|$)|\[\^?\]?(?:\[:\^?[a-z]{1,9}:\]|\\.|[^\]\\])*(?:\]|\\?$)|\\([pP])(?:\{(\^?)C\}|C)|\\./gsu

const others = /\\([pP])(?:\{(\^?)C\}|C)|\\./gsu
