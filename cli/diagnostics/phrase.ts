import type { Json } from "../../sdk/contract/snapshot.ts"
import type { Foreign, Phrase } from "./foreign.ts"
import { maskSecrets } from "./mask-secrets.ts"
import { escapeOf, printable, replaceHarmful } from "./printable.ts"

export type { Foreign, Phrase }

/** A template whose words are ours and whose texts are foreign. Phrases and numbers are inserted as they are. */
export function phrase(
  words: TemplateStringsArray,
  ...values: readonly (string | number | Phrase)[]
): Phrase {
  const parts: (string | Foreign)[] = [words[0] ?? ""]
  for (let at = 0; at < values.length; at++) {
    const value = values[at] ?? ""
    if (typeof value === "number") parts.push(String(value))
    else if (typeof value === "string") parts.push({ foreign: value })
    else parts.push(...value)
    parts.push(words[at + 1] ?? "")
  }
  return parts
}

/** Joins phrases by our words. */
export function joinPhrases(phrases: readonly Phrase[], between: string): Phrase {
  return phrases.flatMap((one, at) => (at === 0 ? one : [between, ...one]))
}

/** Such as `a, b or c`. */
export function joinLast(phrases: readonly Phrase[], and: string): Phrase {
  const [last = phrase``] = phrases.slice(-1)
  return phrases.length < 2 ? last : phrase`${joinPhrases(phrases.slice(0, -1), ", ")} ${[and]} ${last}`
}

/** Untrusted texts with commas between them. Those beyond `most` are counted. */
export function listPhrase(texts: Iterable<string>, most = Number.POSITIVE_INFINITY): Phrase {
  const phrases = [...texts].map((text) => phrase`${text}`)
  const more = phrases.length - most
  return joinPhrases(more > 0 ? [...phrases.slice(0, most), phrase`${more} more`] : phrases, ", ")
}

/** The longest list that is shown whole; what follows is counted. */
export const mostItems = 5

/** A value as JSON. */
export function valueWords(value: Json): Phrase {
  return phrase`${JSON.stringify(value)}`
}

/** An untrusted text that is never cut short. */
export function whole(text: string): Phrase {
  return [{ foreign: text, as: "whole" }]
}

/** A finished sentence with untrusted texts in code marks, which Markdown cannot trust: it marks all of it. */
export function sentence(text: string): Phrase {
  return [{ foreign: text, as: "sentence" }]
}

/** The phrase with none of its untrusted texts cut short. */
export function uncut(parts: Phrase): Phrase {
  return parts.map((part) => (typeof part === "string" || part.as ? part : { ...part, as: "whole" }))
}

/** The number of words: a foreign text is one, and a sign such as % or → is none. */
export function countWords(words: Phrase): number {
  const ours = words.map((word) => (typeof word === "string" ? word : "…")).join("")
  return ours.split(" ").filter((word) => /[\p{L}\p{N}…]/u.test(word)).length
}

/** Both phrases. Of two texts that would be cut before they differ, each begins shortly before the difference instead. */
export function tellApart(before: Phrase, after: Phrase): readonly [Phrase, Phrase] {
  if (before.length !== after.length) return [before, after]
  const pairs = before.map((part, at) => partsApart(part, after[at] ?? ""))
  return [pairs.map(([part]) => part), pairs.map(([, part]) => part)]
}

function partsApart(
  before: Phrase[number],
  after: Phrase[number],
): readonly [Phrase[number], Phrase[number]] {
  if (typeof before === "string" || typeof after === "string" || before.as || after.as) return [before, after]
  // Masked first, because the rest of a secret does not look like one.
  const [from, to] = [maskSecrets(before.foreign), maskSecrets(after.foreign)]
  let at = 0
  while (at < from.length && from[at] === to[at]) at++
  if (at < shownLength || from === to) return [before, after]
  const tail = (text: string) => ({ foreign: `…${text.slice(at - 20).replace(/^[\udc00-\udfff]/, "")}` })
  return [tail(from), tail(to)]
}

/** The phrase as plain text, with untrusted texts in code marks. */
export function plainPhrase(parts: Phrase): string {
  return parts
    .map((part) => {
      if (typeof part === "string") return part
      return part.as === "sentence" ? shown(part) : `\`${shown(part)}\``
    })
    .join("")
}

/** The same without code marks, for a phrase that stands alone. */
export function unmarkedPhrase(parts: Phrase): string {
  return parts.map((part) => (typeof part === "string" ? part : shown(part))).join("")
}

/** An untrusted text as it is printed: on one line, with its secrets masked. */
export function shown({ foreign, as }: Foreign): string {
  const text = maskSecrets(foreign)
  return as === undefined ? visible(text) : printable(text)
}

/** The message of a diagnostic: as text, and as the phrase that it is made of. */
export function messageOf(words: Phrase): { readonly message: string; readonly phrase: Phrase } {
  return { message: plainPhrase(words), phrase: words }
}

/** The maximum number of characters shown of one untrusted text. */
export const shownLength = 120

/** An untrusted text on one line and cut short. Harmful characters are shown as escapes. */
export function visible(text: string): string {
  const cut =
    text.length > shownLength ? `${text.slice(0, shownLength).replace(/[\ud800-\udbff]$/, "")}…` : text
  return replaceHarmful(cut, (character) => (character === "\n" ? "⏎" : escapeOf(character)))
}
