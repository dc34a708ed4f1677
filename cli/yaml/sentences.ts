import type { YAMLParseError } from "yaml"

// Flagstone's messages about syntax errors, in place of the parsers' own.

export const tabAsIndent = "YAML does not allow tabs for indentation. Use spaces."
export const carriageReturn = "This carriage return does not end a line. Remove it."
export const notPart = "This cannot follow the value before it. Check quotes and indentation."
export const mergeConflict =
  "Unresolved merge conflict. Keep one side, and remove the `<<<<<<<`, `=======` and `>>>>>>>` lines."
const member = "Write a field as `name: value`, with a space after the colon."

/** The message about text that must be quoted because of its first character. */
export function reservedBeginning(character: string, quoted: string): string {
  const what = character === "`" ? "a backtick" : `\`${character}\``
  const how = quoted.length > 80 ? "" : `: ${quoted}`
  return `YAML reserves ${what} at the start of a value. Quote it${how}.`
}

/** The message about an error of the yaml package; the package's own where Flagstone has none. */
export function sentenceOfYaml({ code, message }: YAMLParseError): string {
  const known = sentences[code]?.find(([part]) => message.includes(part))
  return known?.[1] ?? `${message}.`.replace(/\.\.$/, ".")
}

/** The message about text that js-yaml refuses and the yaml package accepts. */
export function sentenceOfJsYaml(reason: string, text: string, offset: number): string {
  if (/printable|valid JSON character/.test(reason)) {
    const code = (text.codePointAt(offset) ?? 0).toString(16).padStart(4, "0")
    return `The character U+${code.toUpperCase()} is not allowed in YAML. In double quotes, write \\u${code}.`
  }
  if (/deficient indentation/.test(reason)) return "This is indented too little, or with a tab. Use spaces."
  if (/mapping key|implicit key/.test(reason)) return member
  return notPart
}

/** By the package's code, then by a part of its message. */
const sentences: Readonly<Partial<Record<YAMLParseError["code"], readonly (readonly [string, string])[]>>> = {
  TAB_AS_INDENT: [["", tabAsIndent]],
  BAD_INDENT: [
    ["end with a ]", "The list before this is not closed. End it with `]`."],
    ["end with a }", "The mapping before this is not closed. End it with `}`."],
    ["same column", "This is indented differently from its siblings. Start it in the same column."],
  ],
  MISSING_CHAR: [
    ['"quote', 'A quoted string is not closed. End it with `"`.'],
    ["'quote", "A quoted string is not closed. End it with `'`."],
  ],
  BLOCK_AS_IMPLICIT_KEY: [
    ["", "There is a second `:` on this line. Quote the text that contains it, or start a new line."],
  ],
  MULTILINE_IMPLICIT_KEY: [["", member]],
  BAD_SCALAR_START: [["", "Quote this: YAML reserves its first character."]],
  UNEXPECTED_TOKEN: [
    ["at node end", notPart],
    ["Unexpected , in flow", "There is no value before this comma. Remove the comma, or write the value."],
    ["block-seq-ind on same line", "A list item cannot start here. Put it on its own line under its field."],
  ],
  BAD_DQ_ESCAPE: [["", "In double quotes, a backslash starts an escape. Double it, or use single quotes."]],
  BAD_ALIAS: [["", "Text that starts with `*` or `&` must be quoted."]],
}
