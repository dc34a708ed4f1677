import { Failure } from "../../failure.ts"
import { type ImportFile, type Mapping, type Node, nameOf } from "./tree.ts"

/** Levels. No tool writes deeper files. */
export const deepest = 200

/** Ten thousand flags in ten environments are about four million values; more would not fit into memory. */
const mostValues = 5_000_000

/** A space, a tab, or the end of a line. */
const isSpace = (code: number) => code === 32 || code === 9 || code === 10 || code === 13
const word = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y
/** A string without escapes: any characters but control characters, the quote and the backslash. */
const plainText = /"[ !#-[\]-\uffff]*"/y

/**
 * Parses JSON and keeps places, with a quarter of the memory of jsonc-parser's tree: 220 MB for a file of 50 MB. Throws a
 * `Failure` with the line for invalid JSON and duplicate members.
 */
export function readJson(file: ImportFile): Node {
  const cursor = createCursor(file)
  const { fail, skip, step } = cursor
  let values = 0
  /** One string for each name, however often it appears. */
  const names = new Map<string, string>()

  const read = (parent: Node | undefined, name: string | number, depth: number): Node => {
    if (++values > mostValues) fail(`more than ${mostValues} values: import fewer flags at a time`)
    if (depth > deepest) fail(`nested deeper than ${deepest} levels, which no flag tool writes`)
    const first = skip()
    const node = { value: null as Node["value"], file, start: cursor.offset(), parent, name }
    if (first === "{") node.value = readMembers(node, depth)
    else if (first === "[") node.value = readItems(node, depth)
    else node.value = first === '"' ? cursor.readText() : cursor.readWord()
    return node
  }
  const readMembers = (node: Node, depth: number): Mapping => {
    const members: Node[] = []
    const seen = new Set<string>()
    readList("}", () => {
      const text = cursor.readText()
      const name = names.get(text) ?? text
      names.set(name, name)
      if (seen.size === seen.add(name).size)
        fail(`duplicate field ${JSON.stringify(name)}: tools disagree about which one counts`)
      if (skip() !== ":") fail("not JSON: expected a colon")
      step()
      members.push(read(node, name, depth + 1))
    })
    return { members: members.slice() }
  }
  const readItems = (node: Node, depth: number): readonly Node[] => {
    const items: Node[] = []
    readList("]", () => items.push(read(node, items.length, depth + 1)))
    return items.slice() // an array grown by `push` has room for 17 items
  }
  const readList = (end: string, readNext: () => void): void => {
    step()
    if (skip() !== end) {
      for (;;) {
        skip()
        readNext()
        const next = skip()
        if (next === end) break
        if (next !== ",") fail(`not JSON: expected a comma or ${end}`)
        step()
      }
    }
    step()
  }

  const root = read(undefined, "", 0)
  if (skip() !== "") fail("not JSON: unexpected text after the value")
  return root
}

/** A place in a file that moves over spaces, strings and words. What it cannot read throws a `Failure` with the line. */
function createCursor(file: ImportFile) {
  const { text } = file
  let offset = 0

  const fail = (what: string): never => {
    const line = text.slice(0, offset).split("\n").length
    throw new Failure(`${nameOf(file)}:${line}: ${what}`)
  }
  const match = (grammar: RegExp): string | undefined => {
    grammar.lastIndex = offset
    if (!grammar.test(text)) return undefined
    const found = text.slice(offset, grammar.lastIndex)
    offset = grammar.lastIndex
    return found
  }
  const noText = "not JSON: expected a string in double quotes"
  return {
    fail,
    offset: () => offset,
    step(): void {
      offset++
    },
    /** The next character that is not a space; `""`: there is none. */
    skip(): string {
      while (isSpace(text.charCodeAt(offset))) offset++
      return text[offset] ?? ""
    },
    readText(): string {
      const found = match(plainText)
      if (found !== undefined) return found.slice(1, -1)
      if (text[offset] !== '"') fail(noText)
      // A regular expression would overflow its stack after some ten million characters.
      let end = offset + 1
      while (end < text.length && text[end] !== '"') end += text[end] === "\\" ? 2 : 1
      try {
        const value: string = JSON.parse(text.slice(offset, end + 1))
        offset = end + 1
        return value
      } catch {
        return fail(noText)
      }
    },
    /** A number, `true`, `false` or `null`. */
    readWord: (): null | boolean | number => JSON.parse(match(word) ?? fail("not JSON: expected a value")),
  }
}
