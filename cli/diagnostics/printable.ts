/**
 * Characters that drive a terminal, end a line or reverse the order in which text is shown (Trojan SourceFile,
 * CVE-2021-42574): C0, DEL, C1, the line separators and the bidirectional controls.
 */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const harmful = /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g

/** Replaces every harmful character of a text. */
export function replaceHarmful(text: string, replace: (character: string) => string): string {
  return text.replace(harmful, replace)
}

/** The text on one line, harmless to whoever prints it; every character taken out leaves a `\ufffd`. */
export function printable(text: string): string {
  return text.replaceAll("\t", " ").replace(harmful, "\ufffd")
}

/** The same for text of several lines. */
export function printableLines(text: string): string {
  return text.split("\n").map(printable).join("\n")
}

/** JSON text of the same value in which nothing harmful stands unescaped: `JSON.stringify` lets DEL and C1 through. */
export function printableJson(json: string): string {
  return json.replace(harmful, (character) =>
    character === "\n" ? character : `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  )
}
