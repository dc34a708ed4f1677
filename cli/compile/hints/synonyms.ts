const typeSynonyms: Readonly<Record<string, string>> = {
  bool: "boolean",
  text: "string",
  int: "number",
  integer: "number",
  float: "number",
  double: "number",
  numeric: "number",
  object: "json",
  array: "json",
  list: "json",
}

const attributeTypeSynonyms: Readonly<Record<string, string>> = {
  string: "text",
  array: "list",
  set: "list",
  date: "moment",
  datetime: "moment",
  time: "moment",
  timestamp: "moment",
  semver: "version",
}

/** The type that another tool's word means here; `undefined` if there is none, or it is not allowed. */
export function synonymOf(word: string, allowed: readonly string[]): string | undefined {
  const plain = word.toLowerCase().replace(/[_\- ]/g, "")
  return [typeSynonyms, attributeTypeSynonyms]
    .filter((known) => Object.hasOwn(known, plain))
    .map((known) => known[plain] ?? "")
    .find((meant) => allowed.includes(meant))
}
