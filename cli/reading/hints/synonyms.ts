/** Other tools' words for the types of flags and of attributes, by what they mean here. */
const synonyms: ReadonlyMap<string, string> = new Map([
  ["boolean", "bool"],
  ["string", "text"],
  ["number", "int integer float double numeric"],
  ["json", "object array list"],
  ["text", "string"],
  ["list", "array set"],
  ["moment", "date datetime time timestamp"],
  ["version", "semver"],
])

/** The type that another tool's word means here; `undefined` if there is none, or it is not allowed. */
export function synonymOf(word: string, allowed: readonly string[]): string | undefined {
  const plain = word.toLowerCase().replace(/[_\- ]/g, "")
  return allowed.find((type) => synonyms.get(type)?.split(" ").includes(plain))
}
