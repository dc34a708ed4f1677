/** How many code points one expression may have. */
export const longestExpression = 4_000

/** How many instructions one expression may have. */
export const largestExpression = 1_000

/** How many instructions all different expressions of a flag in an environment may have together. */
export const largestOfFlag = 5_000

/**
 * How many instructions an expression has, counted from its source as docs/evaluation.md, 9.4, says: a character or a class
 * is one, and a repetition such as `{1,250}` is 250 copies of what it repeats. RE2's time grows with text × instructions, so
 * large expressions must not be compiled. A source of too many characters is not read: its size is infinite.
 */
export function expressionSize(source: string): number {
  if (isTooLong(source)) return Number.POSITIVE_INFINITY
  const outer: number[] = []
  let size = 2 // a match and a failure
  let last = 0 // the size of what a following repetition repeats
  for (const { 0: token, groups = {} } of source.matchAll(tokens)) {
    const { literal, open, least, most } = groups
    if (literal !== undefined) {
      size += [...literal].length
      last = 1
    } else if (open !== undefined) {
      outer.push(size)
      size = open.endsWith(":") ? 0 : 2 // a group records where its text begins and ends
      last = 0
    } else if (token === ")") {
      last = size
      size += outer.pop() ?? 0
    } else if (least !== undefined) {
      const copies = Math.max(1, Number(least), Number(most ?? 0))
      const repeated = last * copies + (most === "" ? 1 : copies - Number(least))
      size += repeated - last
      last = repeated
    } else if (/^[*+?|]/.test(token)) {
      size++
      last++
    } else if (!token.startsWith("(?")) {
      size++
      last = 1
    }
  }
  return outer.reduce((sum, one) => sum + one, size)
}

/** A code point has one or two code units, so only a source between the two limits is counted. */
function isTooLong(source: string): boolean {
  return (
    source.length > 2 * longestExpression ||
    (source.length > longestExpression && [...source].length > longestExpression)
  )
}

/**
 * What has no end takes all that is left, and the name of a class has a limit: otherwise, a source that begins a class or a
 * name a thousand times takes quadratic time or more.
 */
const tokens =
  /\\Q(?<literal>.*?)(?:\\E|$)|\\[pPx]\{[^}]*(?:\}|$)|\\.|\[\^?\]?(?:\[:\^?[a-z]{1,9}:\]|\\.|[^\]\\])*(?:\]|\\?$)|\(\?[imsU-]+\)|(?<open>\((?:\?(?:P?<[^>]*(?:>|$)|[imsU-]*:))?)|\)|\{(?<least>\d+)(?:,(?<most>\d*))?\}\??|[*+?]\??|./gsu

/**
 * The expressions of a flag, in the order of its rules, that are small enough to be used, alone and together with those
 * before them. One of too many characters does not count.
 */
export function boundedExpressions(sources: Iterable<string>): ReadonlySet<string> {
  const bounded = new Set<string>()
  let sum = 0
  for (const source of new Set(sources)) {
    const size = expressionSize(source)
    if (size !== Number.POSITIVE_INFINITY) sum += size
    if (size <= largestExpression && sum <= largestOfFlag) bounded.add(source)
  }
  return bounded
}
