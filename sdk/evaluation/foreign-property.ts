import { characterProperties } from "./character-properties.ts"

/** The first class of an expression, such as `\p{Emoji}`, whose name is not in the list; `undefined` if there is none. */
export function foreignProperty(source: string): string | undefined {
  for (const { 0: text, groups = {} } of source.matchAll(classes)) {
    const name = groups.inBraces ?? groups.letter
    if (name !== undefined && !characterProperties.has(name)) return text
  }
  return undefined
}

/** Between `\Q` and `\E`, and after a backslash, are only characters. */
const classes = /\\Q.*?(?:\\E|$)|\\[pP](?:\{\^?(?<inBraces>[^}]*)(?:\}|$)|(?<letter>.))|\\./gsu
