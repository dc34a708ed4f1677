const digits = "0123456789"
const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"

/** The characters of texts of each kind. */
export const alphabets = {
  number: `${digits}.-+eE`,
  version: `${digits}${letters}.-+`,
  moment: `${digits}-:TtZz.+`,
}

/** What all alphabets have. */
export function commonTo(all: readonly string[]): string {
  const [first = "", ...more] = all
  return [...first].filter((character) => more.every((one) => one.includes(character))).join("")
}

/**
 * The characters of an alphabet, those together that no machine tells apart: letters that come in no constraint, if they
 * stand between the same two of those that do (`named`), and without versions `e` with `E`, `t` with `T`, `z` with `Z`.
 */
export function symbolsOf(
  alphabet: string,
  named: ReadonlySet<string>,
  hasVersions: boolean,
): readonly (readonly string[])[] {
  const symbols = new Map<string, string[]>()
  const order = [...named].filter((character) => letters.includes(character)).sort()
  for (const character of alphabet) {
    const isOwn = named.has(character) || !letters.includes(character)
    const alike = hasVersions
      ? `after ${order.findLast((one) => one < character) ?? ""}`
      : `like ${character.toLowerCase()}`
    const key = isOwn ? character : alike
    const members = symbols.get(key)
    if (members === undefined) symbols.set(key, [character])
    else members.push(character)
  }
  return [...symbols.values()]
}
