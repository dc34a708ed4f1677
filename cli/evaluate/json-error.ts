/**
 * The offset at which a text stops being JSON (RFC 8259); its length if only the end is missing. `JSON.parse` gives the
 * place in only some of its messages. Nesting deeper than a thousand counts as an error.
 */
export function findJsonError(text: string): number | undefined {
  let at = 0
  const take = (pattern: RegExp): boolean => {
    pattern.lastIndex = at
    if (!pattern.test(text)) return false
    at = pattern.lastIndex
    return true
  }
  /** A loop: a regular expression that repeats a choice overflows its stack in a long string. */
  const takeText = (): boolean => {
    if (!take(quote)) return false
    do take(plain)
    while (take(escaped))
    return take(quote)
  }
  const takeList = (end: RegExp, takeItem: () => boolean): boolean => {
    if (take(end)) return true
    do if (!takeItem()) return false
    while (take(comma))
    return take(end)
  }
  const takeValue = (depth: number): boolean => {
    take(blank)
    if (depth > deepest) return false
    const inner = () => takeValue(depth + 1)
    const isValue = take(openObject)
      ? takeList(closeObject, () => takeText() && take(blank) && take(colon) && inner())
      : take(openList)
        ? takeList(closeList, inner)
        : text[at] === '"'
          ? takeText()
          : take(word)
    return isValue && take(blank)
  }
  return takeValue(0) && at === text.length ? undefined : at
}

const deepest = 1_000
const blank = /[ \t\n\r]*/y
const openObject = /\{[ \t\n\r]*/y
const closeObject = /\}/y
const openList = /\[[ \t\n\r]*/y
const closeList = /\]/y
const comma = /,[ \t\n\r]*/y
const colon = /:/y
const quote = /"/y
/** In a string: all but control characters, the quote and the backslash. */
const plain = /[ !#-[\]-\uffff]*/y
const escaped = /\\(?:["\\/bfnrt]|u[\da-fA-F]{4})/y
const word = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?(?![\w.])|(?:true|false|null)(?!\w)/y
