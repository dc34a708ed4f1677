const escaped = String.raw`\\(?:[dDsSwW]|[!-/:-@[-${"`"}{-~])`
const item = String.raw`(?:0-9|a-z|a-f|A-Z|A-F|${escaped}|[\w .,:;@/+=%&#!$*?])`
const atom = String.raw`(?:[^\\[\](){}*+?|^$]|${escaped}|\[\^?${item}+-?\])`
const part = String.raw`(?:${atom}(?:[*+?]\??|\{\d\d?,?\})?|[|^$]|\\[bB])`
const plain = new RegExp(String.raw`^(?:\(\?i\))?(?:${part}|\((?:\?:)?${part}*\)[*+?]?)*$`)

/**
 * Whether an expression is one of those that most flags have, which RE2 surely knows. `false` means "ask RE2", which has
 * the last word and takes a hundred times as long, beside the time to load it.
 */
export function isPlainExpression(expression: string): boolean {
  return expression.length <= longest && plain.test(expression)
}

/** RE2 has limits, too, which are far away from this. In code units. */
const longest = 200
