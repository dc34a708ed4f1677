import type { Report, SourceFile } from "../../diagnostics/diagnostic.ts"

/** Characters that look like a space or like nothing, by name, and what people mean by them. */
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

/** Joiners within a word or an emoji, which are part of its spelling. */
const spelling = /(?<=[^ -~])([\u200c\u200d])(?=[^ -~])/u

/** The first character of a text that nobody sees, by name; `undefined`: it has none. */
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

/** The text with what people mean in place of such characters. */
export function seen(text: string): string {
  const parts = text.split(spelling) // every second one is a joiner that stays
  const plain = (part: string) =>
    [...part].map((character) => unseen.get(character)?.[1] ?? character).join("")
  return parts.map((part, at) => (at % 2 === 0 ? plain(part) : part)).join("")
}

const blank = "[ \\u00a0\\u2007\\u202f\\u3000\\u200b-\\u200d\\u2060]"
const odd = "[\\u00a0\\u2007\\u202f\\u3000\\u200b-\\u200d\\u2060]"
/**
 * Where YAML has its structure: in front of a line's text, after a `-` there, and after the name of a member. No two parts
 * can match the same characters, so it is linear.
 */
const structure = new RegExp(`^([ -]*(?:\\w[\\w./-]*: *)?)(${odd}${blank}*)(?=\\S)`, "gm")
const hasOdd = new RegExp(odd)

/** Reports such characters where YAML has its structure, since it takes them for letters. Whether there are some. */
export function refuseUnseen(source: SourceFile, report: Report): boolean {
  if (!hasOdd.test(source.text)) return false
  let isRefused = false
  for (const { 1: before = "", 2: blanks = "", index } of source.text.matchAll(structure)) {
    isRefused = true
    const start = index + before.length
    const end = start + blanks.length
    report.add({
      code: "odd-character",
      message: `Here is ${unseenIn(blanks)}, which YAML takes for a letter. Write plain spaces.`,
      source,
      span: { start, end },
      fix: { start, end, text: seen(blanks) },
    })
  }
  return isRefused
}
