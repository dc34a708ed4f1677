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
  const expressions = globs.map((glob) => new RegExp(`^${glob.replaceAll(/\*\*+|[*?.]/g, meaning)}$`))
  return (key) => expressions.some((expression) => expression.test(key))
}

function meaning(sign: string): string {
  if (sign === ".") return "\\."
  if (sign === "?") return "[^/]"
  return sign === "*" ? "[^/]*" : ".*"
}
