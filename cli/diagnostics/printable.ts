/**
 * The characters that are never printed as they are: those that control a terminal or end a line, those that change the
 * direction of writing (Trojan Source, CVE-2021-42574), and those that make different strings look the same: invisible ones
 * and spaces other than the usual one.
 */
const harmful = /(?! )[\p{Cc}\p{Cf}\p{Z}\p{Default_Ignorable_Code_Point}]/u

/** Some are parts of emoji, which begin with a pictograph: ❤️ ends in U+FE0F. */
const pictographsOrHarmful = new RegExp(
  String.raw`(?<pictographs>(?:\p{Extended_Pictographic}|\p{Regional_Indicator}|[0-9#*](?=\ufe0f\u20e3))[\p{Extended_Pictographic}\p{Emoji_Component}]+)|${harmful.source}`,
  "gu",
)

/** In the sequences that Unicode lists, they are visible and kept. Made when needed, because the list takes 50 ms to load. */
let emojiOrHarmful: RegExp | undefined

/** Replaces every harmful character of a text. */
export function replaceHarmful(text: string, replace: (character: string) => string): string {
  if (!harmful.test(text)) return text
  return text.replace(pictographsOrHarmful, (found, pictographs?: string) => {
    if (pictographs === undefined) return replace(found)
    if (!harmful.test(found)) return found
    emojiOrHarmful ??= new RegExp(String.raw`(?<emoji>\p{RGI_Emoji})|${harmful.source}`, "gv")
    return found.replace(emojiOrHarmful, (part, emoji?: string) => emoji ?? replace(part))
  })
}

/** The text on one line. Tabs become spaces; harmful characters become escapes. */
export function printable(text: string): string {
  return replaceHarmful(text, (character) => (character === "\t" ? " " : escapeOf(character)))
}

/** The same for text of several lines. */
export function printableLines(text: string): string {
  return text.split("\n").map(printable).join("\n")
}

/** JSON text of the same value with every harmful character escaped: `JSON.stringify` lets most of them through. */
export function printableJson(json: string): string {
  return replaceHarmful(json, (character) => {
    if (character === "\n") return character
    return Array.from({ length: character.length }, (_, at) => escapeUnit(character.charCodeAt(at))).join("")
  })
}

/** `\u061c`, or `\u{e0041}` for a character that needs more digits. */
export function escapeOf(character: string): string {
  const code = character.codePointAt(0) ?? 0
  return code > 0xffff ? `\\u{${code.toString(16)}}` : escapeUnit(code)
}

function escapeUnit(code: number): string {
  return `\\u${code.toString(16).padStart(4, "0")}`
}
