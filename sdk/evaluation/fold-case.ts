const capitals = /[A-Z]/
const beyondAscii = /[^\0-\x7f]/

/** A text with A to Z in lower case. No other letters are folded, so that all programming languages do the same. */
export function foldCase(text: string): string {
  if (!capitals.test(text)) return text
  if (!beyondAscii.test(text)) return text.toLowerCase()
  return text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase())
}
