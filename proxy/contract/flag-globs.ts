/** Whether a string is a glob of flag keys. Globs with many stars are refused: matching one could take forever. */
export function isFlagGlob(text: string): boolean {
  return /^[A-Za-z0-9._/*?-]{1,200}$/.test(text) && (text.match(/\*+/g)?.length ?? 0) <= mostStars
}

/** The maximum number of runs of stars in a glob. */
const mostStars = 2

/**
 * Returns a function that is true for keys that match a glob: `*` is any text without a slash, `**` any text, and `?`
 * any character but a slash.
 */
export function flagMatcher(globs: readonly string[]): (key: string) => boolean {
  const patterns = globs.map((glob) => glob.replaceAll(/\*\*+|[*?.]/g, meaning))
  const expression = new RegExp(`^(?:${patterns.join("|")})$`)
  return (key) => expression.test(key)
}

/**
 * The positions of those of the sorted `keys` that begin as a glob does, up to its first sign, in order; no other key
 * can match.
 */
export function* findCandidates(keys: readonly string[], globs: readonly string[]): Generator<number> {
  let next = 0
  for (const beginning of globs.map((glob) => glob.replace(/[*?].*/, "")).sort()) {
    next = findFirst(keys, beginning, next)
    for (; keys[next]?.startsWith(beginning); next++) yield next
  }
}

/** The position of the first of the sorted `keys`, from `from` on, that is not before `text`. */
function findFirst(keys: readonly string[], text: string, from: number): number {
  let [low, high] = [from, keys.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((keys[middle] ?? "") < text) low = middle + 1
    else high = middle
  }
  return low
}

function meaning(sign: string): string {
  if (sign === ".") return "\\."
  if (sign === "?") return "[^/]"
  return sign === "*" ? "[^/]*" : ".*"
}
