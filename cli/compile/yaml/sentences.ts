import type { YAMLParseError } from "yaml"

// Flagstone's messages about errors of syntax, instead of the parsers' own.

export const tabAsIndent = "A tab cannot indent in YAML. Use spaces."
export const notPart = "This does not belong to the value before it. Check quotes and indentation."
export const mergeConflict =
  "A merge conflict is not resolved. Keep one side, and remove the lines of `<<<<<<<`, `=======` and `>>>>>>>`."
const member = "A member is written `name: value`, with a space after the colon."

/** The sentence for a text that must be quoted because of its first character. */
export function reservedBeginning(character: string, quoted: string): string {
  const what = character === "`" ? "a backtick" : `\`${character}\``
  const how = quoted.length > 80 ? "" : `: ${quoted}`
  return `YAML reserves ${what} at the beginning of a text. Quote it${how}.`
}

/** The sentence for an error of the yaml package; its own one where Flagstone has none. */
export function sentenceOfYaml({ code, message }: YAMLParseError): string {
  const known = sentences[code]?.find(([part]) => message.includes(part))
  return known?.[1] ?? `${message}.`.replace(/\.\.$/, ".")
}

/** The sentence for what js-yaml refuses and the yaml package accepts. */
export function sentenceOfJsYaml(reason: string, text: string, offset: number): string {
  if (/printable|valid JSON character/.test(reason)) {
    const code = (text.codePointAt(offset) ?? 0).toString(16).padStart(4, "0")
    return `The character U+${code.toUpperCase()} is not allowed in YAML. In double quotes, write \\u${code}.`
  }
  if (/deficient indentation/.test(reason)) return "This is indented too little, or with a tab. Use spaces."
  if (/mapping key|implicit key/.test(reason)) return member
  return notPart
}

/** By the package's code, then by a part of its sentence. */
const sentences: Readonly<Partial<Record<YAMLParseError["code"], readonly (readonly [string, string])[]>>> = {
  TAB_AS_INDENT: [["", tabAsIndent]],
  BAD_INDENT: [
    ["end with a ]", "A list is not closed before this. End it with `]`."],
    ["end with a }", "A mapping is not closed before this. End it with `}`."],
    ["same column", "This is indented differently from its siblings. Start it in the same column."],
  ],
  MISSING_CHAR: [
    ['"quote', 'A quoted text is not closed. End it with `"`.'],
    ["'quote", "A quoted text is not closed. End it with `'`."],
  ],
  BLOCK_AS_IMPLICIT_KEY: [
    ["", "There is a second `:` on this line. Quote the text that contains it, or start a new line."],
  ],
  MULTILINE_IMPLICIT_KEY: [["", member]],
  BAD_SCALAR_START: [["", "Quote this text: YAML reserves the character that it begins with."]],
  UNEXPECTED_TOKEN: [
    ["at node end", notPart],
    [
      "block-seq-ind on same line",
      "A list item cannot stand here. Begin it on a line of its own, below its member.",
    ],
  ],
  BAD_DQ_ESCAPE: [
    ["", "In double quotes a backslash begins an escape. Write it twice, or use single quotes."],
  ],
  BAD_ALIAS: [["", "A text that begins with `*` or `&` must be quoted."]],
}
