/**
 * Problems in the code that OpenFeature's CLI generates. It turns keys into function names, keeps slashes and reserved
 * words, and does not check whether two flags give the same name. Each function has companions, such as `pay_details`
 * for `pay`.
 */
export function unusableNames(keys: readonly string[]): readonly string[] {
  const found: string[] = []
  const taken = new Map<string, string>()
  for (const key of keys) {
    if (!/^[a-z][a-z0-9._-]*$/i.test(key))
      found.push(`${key} cannot become a function name: the generated code would not compile`)
    if (pythonWords.has(key.toLowerCase()))
      found.push(`${key} is a reserved word in Python: the code generated for Python would not compile`)
    const names = companions.map((suffix) => functionName(key) + suffix)
    const other = names.map((name) => taken.get(name)).find((one) => one !== undefined)
    if (other !== undefined)
      found.push(`${other} and ${key} become the same function name: generated code cannot contain both`)
    for (const name of names) taken.set(name, key)
  }
  return found
}

/** In Pascal case: names that collide there collide in every case. */
function functionName(key: string): string {
  return key
    .replace(/([A-Z])([A-Z]+)/g, (_, first: string, rest: string) => first + rest.toLowerCase())
    .replace(/(^|[._-]|\d)([a-z])/g, (_, before: string, letter: string) => before + letter.toUpperCase())
    .replace(/[._-]/g, "")
}

const companions = ["", "Details", "Async", "DetailsAsync"]

/** The keywords (The Python Language Reference, 2.3.1) in lower case, as function names are compared. */
const pythonWords: ReadonlySet<string> = new Set(
  (
    "and as assert async await break class continue def del elif else except finally for from global if import in is " +
    "lambda nonlocal not or pass raise return try while with yield"
  ).split(" "),
)
