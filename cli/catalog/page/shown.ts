import { replaceHarmful } from "../../diagnostics/printable.ts"

/** An author's text as it looks, without what would turn its direction or hide. */
export function shown(text: string): string {
  return replaceHarmful(text, (character) => (/\s/.test(character) ? " " : "\ufffd"))
}
