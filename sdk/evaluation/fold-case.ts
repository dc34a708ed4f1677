/** A text with A to Z as a to z. No other letter is folded, so that all languages do the same. */
export function foldCase(text: string): string {
  return text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase())
}
