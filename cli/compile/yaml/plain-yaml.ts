import type { Span } from "../../diagnostics/diagnostic.ts"
import type { MappingNode, Member, Node, ScalarNode, SequenceNode } from "./tree.ts"

/**
 * Reads what nearly all flag files are written in, many times faster than the yaml package: block mappings and lists,
 * flow collections within a line, and scalars within a line. The tree and its places are exactly those that `parse.ts`
 * makes with the yaml package, which stays the authority: `undefined` means "ask that", and is the answer to anything
 * unusual (anchors, tags, block scalars, continued lines, tabs, CRLF, empty values in flow, …) and to every mistake.
 *
 * It is longer than most files because a grammar in two files would be harder to read.
 */
export function readPlainYaml(text: string): MappingNode | undefined {
  if (text.length > maxLength || unusualCharacter.test(text)) return undefined
  try {
    return createReader(text).document()
  } catch (error) {
    if (error === unusual) return undefined
    throw error
  }
}

/** A text has fewer values than characters, so no shorter one can break `parse.ts`'s limit of values. */
const maxLength = 20_000
const maxDepth = 30

const unusual = new Error("not plain YAML")

/** Everything but LF, printable ASCII, and what YAML and its readers treat as letters. */
const unusualCharacter = /[^\n\x20-\x7e\xa1-\u2027\u202a-\ufefe]/
const name = /[A-Za-z0-9_][A-Za-z0-9_./-]{0,200}(?=:)|"[^"\\\n]{0,200}"(?=:)|'[^'\n]{0,200}'(?=:)/y
const doubleQuoted = /"(?:[^"\\\n]|\\["\\/nt])*"/y
const singleQuoted = /'(?:[^'\n]|'')*'/y
const blockPlain =
  /(?:[A-Za-z0-9_$^/(.<=~;\xa1-\ufefe]|[-+](?=[0-9]))[^\n#:]*(?:(?:(?<! )#|:(?! |\n|$))[^\n#:]*)*/y
const flowPlain = /(?:[A-Za-z0-9_$^/(.<=~;\xa1-\ufefe]|[-+](?=[0-9]))[^\n#:,[\]{}]*/y
const restOfLine = /(?: *| +#[^\n]*)(?:\n|$)/y
const restOfComment = /#[^\n]*(?:\n|$)/y
const numberLike = /^[-+.]?[0-9]|^\.(?:inf|nan)/i
const decimal = /^(?:0|-?[1-9][0-9]{0,14})(?:\.[0-9]{1,15})?$/
const textOfDigits = /^[0-9]{4}-[0-9]{2}-[0-9]{2}$|^[0-9]+\.[0-9]+\.[0-9.*]+$|^[0-9]+\.\*$/
const ambiguousWord = /^(?:~|true|false|null)$/i

function createReader(text: string) {
  let at = 0
  /** Where the line of `at` begins; a compact mapping's column counts from there, too. */
  let lineStart = 0
  /** Whether `nextLine` passed comments on its way. */
  let commentsSkipped = false

  function document(): MappingNode {
    const indent = nextLine()
    if (indent !== 0) throw unusual
    const root = mapping(0, 0)
    if (at < text.length) throw unusual
    return root
  }

  /** Goes to the next line that says something, and gives its indentation; -1 at the end of the text. */
  function nextLine(): number {
    let deepestComment = -1
    commentsSkipped = false
    for (;;) {
      lineStart = at
      if (at >= text.length) {
        if (deepestComment >= 0) throw unusual // the yaml package counts it to one collection or another
        return -1
      }
      skipSpaces()
      const next = text.charCodeAt(at)
      if (next === hash) {
        commentsSkipped = true
        deepestComment = Math.max(deepestComment, at - lineStart)
        take(restOfComment)
      } else if (next === newline && at === lineStart) at++
      else break
    }
    const indent = at - lineStart
    if (deepestComment > indent || at >= text.length || text.charCodeAt(at) === newline) throw unusual
    return indent
  }

  function mapping(column: number, depth: number): MappingNode {
    if (depth > maxDepth) throw unusual
    const start = at
    const members: Member[] = []
    for (;;) {
      const { name, nameSpan } = memberName(members)
      const afterColon = at
      const next = text.charCodeAt(at)
      let value: Node
      let end: number
      let indent: number
      if (next === newline || at >= text.length) {
        at++
        indent = nextLine()
        if (indent > column || (indent === column && isItem())) {
          value = isItem() ? sequence(indent, depth + 1) : mapping(indent, depth + 1)
          end = value.end
          indent = currentIndent()
        } else {
          if (commentsSkipped) throw unusual // the yaml package counts them to the empty value or not
          value = { kind: "scalar", value: null, plain: true, start: afterColon, end: afterColon }
          end = afterColon
        }
      } else if (next !== space) throw unusual
      else {
        skipSpaces()
        value = inline(blockPlain, depth + 1)
        end = endLine()
        indent = nextLine()
      }
      members.push({ name, nameSpan, value })
      if (indent < column) return { kind: "mapping", members, start, end }
      if (indent > column) throw unusual
    }
  }

  function sequence(column: number, depth: number): SequenceNode {
    if (depth > maxDepth) throw unusual
    const start = at
    const items: Node[] = []
    for (;;) {
      at++
      skipSpaces()
      let end: number
      let indent: number
      if (match(name) !== undefined && isColon(name.lastIndex)) {
        const item = mapping(at - lineStart, depth + 1)
        items.push(item)
        end = item.end
        indent = currentIndent()
      } else {
        items.push(inline(blockPlain, depth + 1))
        end = endLine()
        indent = nextLine()
      }
      if (indent === column && isItem()) continue
      if (indent > column) throw unusual
      return { kind: "sequence", items, start, end }
    }
  }

  /** Of the line at which a block collection stopped; -1 at the end of the text. */
  function currentIndent(): number {
    return at >= text.length ? -1 : at - lineStart
  }

  /** A member's name and its colon. Names that are there already are a mistake. */
  function memberName(members: readonly Member[]): Pick<Member, "name" | "nameSpan"> {
    const written = match(name)
    if (written === undefined || !isColon(name.lastIndex)) throw unusual
    const nameSpan: Span = { start: at, end: name.lastIndex }
    const isQuoted = written.startsWith('"') || written.startsWith("'")
    const plainName = isQuoted ? written.slice(1, -1) : written
    if (members.some((member) => member.name === plainName)) throw unusual
    at = name.lastIndex + 1
    return { name: plainName, nameSpan }
  }

  function inline(plain: RegExp, depth: number): Node {
    switch (text[at]) {
      case "[":
        return flowSequence(depth)
      case "{":
        return flowMapping(depth)
      case '"': {
        const written = take(doubleQuoted)
        // These escapes mean the same in JSON (YAML 1.2.2, section 5.7).
        const value = written.includes("\\") ? JSON.parse(written) : written.slice(1, -1)
        return { kind: "scalar", value, plain: false, start: at - written.length, end: at }
      }
      case "'": {
        const written = take(singleQuoted)
        const value = written.slice(1, -1).replaceAll("''", "'")
        return { kind: "scalar", value, plain: false, start: at - written.length, end: at }
      }
      default:
        return plainScalar(take(plain))
    }
  }

  /** YAML 1.2.2, section 10.3.2, without the forms that hardly anyone writes. */
  function plainScalar(taken: string): ScalarNode {
    const written = taken.trimEnd()
    const start = at - taken.length
    at = start + written.length
    return { kind: "scalar", value: plainValue(written), plain: true, start, end: at }
  }

  function plainValue(written: string): ScalarNode["value"] {
    if (written === "true") return true
    if (written === "false") return false
    if (written === "null") return null
    if (ambiguousWord.test(written)) throw unusual
    if (!numberLike.test(written)) return written
    if (decimal.test(written)) return Number(written)
    if (textOfDigits.test(written)) return written
    throw unusual
  }

  function flowSequence(depth: number): SequenceNode {
    const start = at
    const items: Node[] = []
    flow("]", depth, () => items.push(inline(flowPlain, depth + 1)))
    return { kind: "sequence", items, start, end: at }
  }

  function flowMapping(depth: number): MappingNode {
    const start = at
    const members: Member[] = []
    flow("}", depth, () => {
      const member = memberName(members)
      if (text.charCodeAt(at) !== space) throw unusual
      skipSpaces()
      members.push({ ...member, value: inline(flowPlain, depth + 1) })
    })
    return { kind: "mapping", members, start, end: at }
  }

  /** What stands between brackets, parted by commas. */
  function flow(close: string, depth: number, entry: () => void): void {
    if (depth > maxDepth) throw unusual
    at++
    skipSpaces()
    while (text[at] !== close) {
      entry()
      skipSpaces()
      if (text[at] === close) break
      if (text[at] !== ",") throw unusual
      at++
      skipSpaces()
      if (text[at] === close) throw unusual
    }
    at++
  }

  function isItem(): boolean {
    return text.charCodeAt(at) === dash && text.charCodeAt(at + 1) === space
  }

  /** A colon that ends a name: a space, the line's or the text's end follows. */
  function isColon(position: number): boolean {
    const next = text.charCodeAt(position + 1)
    return next === space || next === newline || Number.isNaN(next)
  }

  function skipSpaces(): void {
    while (text.charCodeAt(at) === space) at++
  }

  /** Takes a comment and the line's end; gives where the next line begins. */
  function endLine(): number {
    take(restOfLine)
    return at
  }

  function match(pattern: RegExp): string | undefined {
    pattern.lastIndex = at
    return pattern.test(text) ? text.slice(at, pattern.lastIndex) : undefined
  }

  function take(pattern: RegExp): string {
    const found = match(pattern)
    if (found === undefined) throw unusual
    at += found.length
    return found
  }

  return { document }
}

const space = 32
const newline = 10
const dash = 45
const hash = 35
