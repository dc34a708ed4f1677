import type { Report, SourceFile } from "../diagnostics/diagnostic.ts"

/** Characters that look like a space or are invisible, with their names and what authors meant. */
const unseen: ReadonlyMap<string, readonly [name: string, meant: string]> = new Map([
  ["\u00a0", ["a non-breaking space (U+00A0)", " "]],
  ["\u2007", ["a figure space (U+2007)", " "]],
  ["\u202f", ["a narrow non-breaking space (U+202F)", " "]],
  ["\u3000", ["an ideographic space (U+3000)", " "]],
  ["\u00ad", ["a soft hyphen (U+00AD)", ""]],
  ["\u200b", ["a zero-width space (U+200B)", ""]],
  ["\u200c", ["a zero-width non-joiner (U+200C)", ""]],
  ["\u200d", ["a zero-width joiner (U+200D)", ""]],
  ["\u2060", ["a word joiner (U+2060)", ""]],
  ["\ufeff", ["a byte order mark (U+FEFF)", ""]],
])

/** Joiners within a word or an emoji are part of its spelling. */
const spelling = /(?<=[^ -~])([\u200c\u200d])(?=[^ -~])/u

/** Whether a text is all ASCII, as most files are. Faster than a search. */
export function isAscii(text: string): boolean {
  return Buffer.byteLength(text) === text.length
}

/** The name of the first of these characters in a text; `undefined` if there is none. */
export function unseenIn(text: string): string | undefined {
  for (const character of text
    .split(spelling)
    .filter((_, at) => at % 2 === 0)
    .join("")) {
    const known = unseen.get(character)
    if (known !== undefined) return known[0]
  }
  return undefined
}

/** The text with these characters replaced by what authors meant. */
export function seen(text: string): string {
  const parts = text.split(spelling) // every second one is a joiner that stays
  const plain = (part: string) =>
    [...part].map((character) => unseen.get(character)?.[1] ?? character).join("")
  return parts.map((part, at) => (at % 2 === 0 ? plain(part) : part)).join("")
}

const odd = "[\\u00a0\\u2007\\u202f\\u3000\\u00ad\\u200b-\\u200d\\u2060]"
/**
 * These characters in YAML's structure: in indentation, after a `-`, and after a member's name. No two parts can match
 * the same characters, so matching takes linear time.
 */
const structure = new RegExp(`^([ -]*(?:\\w[\\w./-]*: *)?)(${odd}(?: |${odd})*)(?=\\S|\\r?$)`, "gm")
const hasOdd = new RegExp(odd)

/**
 * Reports these characters in YAML's structure, where YAML reads them as letters: once per file, with a fix for all.
 * Returns whether there are any.
 */
export function refuseUnseen(source: SourceFile, report: Report): boolean {
  if (isAscii(source.text) || !hasOdd.test(source.text)) return false
  const places = [...source.text.matchAll(structure)].map(({ 1: before = "", 2: blanks = "", index }) => {
    const start = index + before.length
    return { start, end: start + blanks.length, text: blanks }
  })
  const [first, last] = [places[0], places.at(-1)]
  if (first === undefined || last === undefined) return false
  const here = `This is ${unseenIn(first.text)}, which YAML reads as a letter.`
  const advice =
    first === last
      ? "Use plain spaces."
      : `There are ${places.length} of these. Use plain spaces, or run \`lint --fix\`.`
  const spaced = places.map(
    ({ end, text }, at) => seen(text) + source.text.slice(end, places[at + 1]?.start ?? end),
  )
  report.add({
    code: "odd-character",
    message: `${here} ${advice}`,
    source,
    span: { start: first.start, end: first.end },
    fix: { start: first.start, end: last.end, text: spaced.join("") },
  })
  return true
}
