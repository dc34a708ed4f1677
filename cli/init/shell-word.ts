/** A path without quotes, `$` and backticks as one word in every shell, even inside JSON. */
export function shellWord(path: string): string {
  return /^[\w./-]+$/.test(path) ? path : `"${path}"`
}
