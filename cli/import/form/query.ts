import { table } from "./table.ts"
/** A query of GO Feature Flag, by the grammar of nikunjy/rules 2151cc2, JsonQuery.g4, and the pre-releases of its pull request 43. */
export type Query =
  | { readonly kind: "and" | "or"; readonly left: Query; readonly right: Query }
  | { readonly kind: "not"; readonly query: Query }
  | { readonly kind: "present"; readonly attribute: string }
  | {
      readonly kind: "compare"
      readonly attribute: string
      readonly operator: QueryOperator
      readonly operand: Operand
    }

export type QueryOperator = "eq" | "ne" | "gt" | "lt" | "ge" | "le" | "co" | "sw" | "ew" | "in"

export type Operand =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "number"; readonly number: number; readonly isWhole: boolean }
  | { readonly kind: "boolean"; readonly is: boolean }
  | { readonly kind: "version"; readonly version: string }
  | { readonly kind: "list"; readonly items: readonly (string | number)[] }
  | { readonly kind: "null" }

const tokens =
  /\s*(?:(?<bracket>[()[\],])|(?<text>"(?:[^"\\]|\\.)*")|(?<version>\d+\.\d+\.\d+(?:[-+][0-9A-Za-z.+-]+)?)|(?<number>-?(?:0|[1-9]\d*)(?:\.\d+(?:[eE][+-]?\d+)?)?)|(?<word>[A-Za-z][\w:.-]*|[=!<>]=|[<>]))/y

const operators = table<QueryOperator>({
  ...{ eq: "eq", EQ: "eq", "==": "eq", ne: "ne", NE: "ne", "!=": "ne", gt: "gt", GT: "gt", ">": "gt" },
  ...{ lt: "lt", LT: "lt", "<": "lt", ge: "ge", GE: "ge", ">=": "ge", le: "le", LE: "le", "<=": "le" },
  ...{ co: "co", CO: "co", sw: "sw", SW: "sw", ew: "ew", EW: "ew", in: "in", IN: "in" },
})

/** Parses a query; returns what is wrong with one that breaks the grammar. `and` and `or` bind equally, from left to right. */
export function parseQuery(text: string): Query | string {
  let offset = 0
  let depth = 0
  class Fault extends Error {}
  const fail = (what: string): never => {
    throw new Fault(`${what} at character ${offset + 1}`)
  }
  const next = () => {
    tokens.lastIndex = offset
    return tokens.exec(text)?.groups
  }
  const take = () => {
    const found = next() ?? fail(offset < text.trimEnd().length ? "unexpected text" : "unexpected end")
    offset = tokens.lastIndex
    return found
  }
  const readQuery = (): Query => {
    let left = readOne()
    for (let word = next()?.word; word === "and" || word === "or"; word = next()?.word) {
      take()
      left = { kind: word, left, right: readOne() }
    }
    return left
  }
  const readOne = (): Query => {
    if (++depth > 200) fail("too many brackets")
    const { bracket, word } = take()
    if (bracket === "(") {
      const inner = readQuery()
      return take().bracket === ")" ? inner : fail("`)` is missing")
    }
    if (word === undefined) return fail("an attribute is missing")
    if ((word === "not" || word === "NOT") && next()?.bracket === "(")
      return { kind: "not", query: readOne() }
    const { word: operator = "" } = take()
    if (operator === "pr") return { kind: "present", attribute: word }
    const known = operators[operator] ?? fail(`\`${operator}\` is not an operator`)
    return { kind: "compare", attribute: word, operator: known, operand: readOperand() }
  }
  const readOperand = (): Operand => {
    const { text: quoted, number, version, word, bracket } = take()
    if (quoted !== undefined) return { kind: "text", text: quoted.slice(1, -1) }
    // The engine drops an operand's pre-release.
    if (version !== undefined) return { kind: "version", version: version.replace(/[-+].*/, "") }
    if (number !== undefined) {
      const isWhole = !number.includes(".")
      if (isWhole && !Number.isSafeInteger(Number(number))) fail("a whole number beyond 9007199254740991")
      return { kind: "number", number: Number(number), isWhole }
    }
    if (word === "true" || word === "false") return { kind: "boolean", is: word === "true" }
    if (word === "null") return { kind: "null" }
    if (bracket !== "[") return fail("a value is missing; strings need double quotes")
    const items: (string | number)[] = []
    for (;;) {
      const one = take()
      items.push(one.text?.slice(1, -1) ?? Number(one.number ?? fail("a string or a number is missing")))
      if (take().bracket === "]") return { kind: "list", items }
    }
  }
  try {
    const query = readQuery()
    const [rest = ""] = text.slice(offset).trim().split(" ")
    const hint = /^(?:and|or)$/i.test(rest) ? `: write \`${rest.toLowerCase()}\`` : ""
    return rest === "" ? query : `\`${rest}\` is not understood${hint}`
  } catch (error) {
    if (error instanceof Fault) return error.message
    throw error
  }
}
