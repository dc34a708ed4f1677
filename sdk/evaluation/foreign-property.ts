/** The names that `\p{…}` may have: a closed list of those that all engines read alike. */
const characterProperties: ReadonlySet<string> = new Set(
  `Any Cc Cf Co Cs L Ll Lm Lo Lt Lu M Mc Me Mn N Nd Nl No P Pc Pd Pe Pf Pi Po Ps S Sc Sk Sm So Z Zl Zp Zs
  Arabic Armenian Bengali Bopomofo Cherokee Common Cyrillic Devanagari Ethiopic Georgian Greek Gujarati Gurmukhi
  Han Hangul Hebrew Hiragana Inherited Kannada Katakana Khmer Lao Latin Malayalam Mongolian Myanmar Nko Oriya
  Sinhala Syriac Tamil Telugu Thaana Thai Tibetan Tifinagh Vai Yi`.split(/\s+/),
)

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
