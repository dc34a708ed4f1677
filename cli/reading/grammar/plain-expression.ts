const escaped = String.raw`\\(?:[dDsSwW]|[!-/:-@[-${"`"}{-~])`
const item = String.raw`(?:0-9|a-z|a-f|A-Z|A-F|${escaped}|[\w .,:;@/+=%&#!$*?])`
const atom = String.raw`(?:[^\\[\](){}*+?|^$]|${escaped}|\[\^?${item}+-?\])`
const part = String.raw`(?:${atom}(?:[*+?]\??|\{\d\d?,?\})?|[|^$]|\\[bB])`
const plain = new RegExp(String.raw`^(?:\(\?i\))?(?:${part}|\((?:\?:)?${part}*\)[*+?]?)*$`)

/**
 * Whether an expression is of the plain kind that most flags have and RE2 certainly accepts. `false` means "ask RE2", which
 * has the last word and takes a hundred times as long, plus the time to load it.
 */
export function isPlainExpression(expression: string): boolean {
  return expression.length <= longest && plain.test(expression)
}

/** In code units. RE2's own limits are far higher. */
const longest = 200
