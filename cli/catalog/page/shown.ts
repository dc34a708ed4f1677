import { replaceHarmful } from "../../diagnostics/printable.ts"

/** An author's text without characters that are invisible or change the text's direction. */
export function shown(text: string): string {
  return replaceHarmful(text, (character) => (/\s/.test(character) ? " " : "\ufffd"))
}
