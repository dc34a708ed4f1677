import fc from "fast-check"
import type { Json } from "../../sdk/contract/snapshot.ts"

/** Writes a value as YAML in some notation. */
export type Notation = (value: Json) => string

/** Any notation that the parser reads: block and flow style, explicit fields, comments, quotes, escapes, folds and aliases. */
export const notations: fc.Arbitrary<Notation> = fc
  .array(fc.nat(999), { minLength: 60, maxLength: 60 })
  .map((choices) => (value) => writerWith(choices).document(value))

/** Each choice says how the next thing is written; 0 is the plainest way. */
function writerWith(choices: readonly number[]) {
  let next = 0
  const choose = (count: number) => (choices[next++ % choices.length] ?? 0) % count
  const anchors = new Map<string, string>()
  let opened = 0

  /** A value with its anchor, or an alias. `write` gets what stands before it. */
  function anchored(value: Json, write: (anchor: string) => string): string {
    const name = JSON.stringify(value)
    const known = anchors.get(name)
    if (known !== undefined && choose(3) > 0) return ` *${known} `
    if (value === null || choose(4) !== 3) return write("")
    const anchor = `a${opened++}`
    const text = write(` &${anchor}`)
    anchors.set(name, anchor)
    return text
  }

  /** A value after the mark `:` or `-`, on its line or on those below it. */
  function block(value: Json, pad: string): string {
    if (typeof value !== "object" || value === null || isEmpty(value) || choose(3) === 1)
      return anchored(value, (anchor) => `${anchor} ${inline(value, pad, true)}`)
    return anchored(value, (anchor) => `${anchor}\n${lines(value, `${pad}  `)}`)
  }

  function lines(value: object, pad: string): string {
    if (Array.isArray(value)) return value.map((item) => `${pad}-${block(item, pad)}`).join("\n")
    return Object.entries(value)
      .map(([name, inner]) => {
        if (choose(3) !== 1)
          return `${pad}${onOneLine(name)}${choose(3) === 1 ? " " : ""}:${block(inner, pad)}`
        const field = inline(name, pad, true)
        const comment = `${/^[|>]/.test(field) ? "" : " # why"}\n${pad}# because`
        return `${pad}? ${field}${choose(2) === 1 ? comment : ""}\n${pad}:${block(inner, pad)}`
      })
      .join("\n")
  }

  /** A value in flow style, or a text. */
  function inline(value: Json, pad: string, isBlock = false): string {
    const deeper = `${pad}    `
    if (typeof value === "string") return text(value, deeper, isBlock)
    if (typeof value !== "object" || value === null) return String(value)
    const inner = (one: Json) => anchored(one, (anchor) => `${anchor} ${inline(one, deeper)}`)
    if (Array.isArray(value)) return `[${value.map(inner).join(",")}]`
    const members = Object.entries(value).map(([name, one]) => {
      const kind = choose(4)
      if (kind === 1) return ` ? ${text(name, deeper, false)} # why\n${deeper}:${inner(one)}`
      if (kind === 2) return ` ${onOneLine(name)} # why\n\n${deeper}:${inner(one)}`
      return ` ${onOneLine(name)}:${inner(one)}`
    })
    return `{${members.join(",")} }`
  }

  function text(value: string, pad: string, isBlock: boolean): string {
    const middle = Math.floor(value.length / 2)
    switch (choose(isBlock ? 6 : 4)) {
      case 1:
        return `"${escaped(value.slice(0, middle))}\\\n${pad}${escaped(value.slice(middle))}"`
      case 2:
        return `'${value.replaceAll("'", "''").replace(/(?<=\S) (?=\S)/g, `\n${pad}`)}'`
      case 4:
        return `|-\n${pad}${value}`
      case 5:
        return `>-\n${pad}${value.replace(/(?<=\S) (?=\S)/g, `\n${pad}`)}`
      default:
        return onOneLine(value)
    }
  }

  function onOneLine(value: string): string {
    const isPlain = /^[A-Za-z][\w./-]*$/.test(value) && !/^(?:true|false|null)$/.test(value)
    const kind = choose(4)
    if (kind === 1) return `"${escaped(value)}"`
    if (kind === 2) return `'${value.replaceAll("'", "''")}'`
    return isPlain ? value : JSON.stringify(value)
  }

  /** The inside of a double-quoted text. */
  function escaped(value: string): string {
    const hex = (character: string, digits: number) =>
      character.charCodeAt(0).toString(16).padStart(digits, "0")
    return value
      .split("")
      .map((character) => {
        const ways = [`\\x${hex(character, 2)}`, `\\u${hex(character, 4)}`, `\\U${hex(character, 8)}`]
        return ways[choose(6)] ?? (/["\\/ ]/.test(character) ? `\\${character}` : character)
      })
      .join("")
  }

  return {
    document: (value: Json) =>
      typeof value === "object" && value !== null && !isEmpty(value) && choose(4) > 0
        ? `${lines(value, "")}\n`
        : `${inline(value, "")}\n`,
  }
}

function isEmpty(value: object): boolean {
  return Object.keys(value).length === 0
}
