import type { SourceFile } from "../diagnostics/diagnostic.ts"

/** A place in the code with a flag's key in quotes, or with a constant for it. */
export interface Reference {
  readonly key: string
  readonly source: SourceFile
  readonly start: number
  /**
   * `key`: the key itself. `generated`: the key in a file from `codegen types`. `possible`: a common word in a file that
   * calls for no flag. Neither of these counts as a use.
   */
  readonly kind: "key" | "generated" | "constant" | "possible"
  /** The constant that the reference uses. */
  readonly constant?: Constant
}

/** A name that code gives to a key. */
export interface Constant {
  readonly name: string
  readonly key: string
  readonly source: SourceFile
  /** Where the name is. */
  readonly start: number
  /** Whether other files may use it. */
  readonly isShared: boolean
  /** Whether it is used after a dot, like members of objects and enums. */
  readonly isMember: boolean
}

const generatedMark = "// Made by `flagstone codegen types`"

/** Finds quoted keys in a file, in a time that does not depend on the number of keys. */
export function keysIn(source: SourceFile, keys: ReadonlySet<string>): readonly Reference[] {
  const { text } = source
  const kind = text.startsWith(generatedMark) ? "generated" : "key"
  const kindOf = createKindOf(text)
  const found: Reference[] = []
  // Without a regular expression, which creates an object for everything in quotes and takes three times as long.
  for (let at = 0; at < text.length; at++) {
    const quote = text.charCodeAt(at)
    if (quote !== 0x22 && quote !== 0x27 && quote !== 0x60) continue
    const start = at + 1
    let end = start
    while (isKeyCharacter[text.charCodeAt(end)] === 1) end++
    const isEscaped = text.charCodeAt(end) === 0x5c && text.charCodeAt(at - 1) === 0x5c
    const close = isEscaped ? end + 1 : end
    const isClosed = text.charCodeAt(close) === quote
    at = isClosed ? close : end - 1
    if (!isClosed || end === start) continue
    const key = text.slice(start, end)
    if (keys.has(key)) found.push({ key, source, start, kind: kind === "key" ? kindOf(key, kind) : kind })
  }
  return found
}

/** Returns the kind of a reference in this text, which is only possible for a common word unless the text calls for a flag. */
function createKindOf(text: string) {
  let isAbout: boolean | undefined
  return <K extends Reference["kind"]>(key: string, kind: K): K | "possible" => {
    if (!isCommonWord(key)) return kind
    isAbout ??= callsFlags(text)
    return isAbout ? kind : "possible"
  }
}

/** By code unit: 1 for characters that a flag key may have. */
const isKeyCharacter = Uint8Array.from({ length: 128 }, (_, code) =>
  /[\w./-]/.test(String.fromCharCode(code)) ? 1 : 0,
)

/** `NAME = "key"` with a type or without, `name: "key"`, `Name => "key"` and `NAME("key")`, up to the quote. */
const nameBefore =
  /([A-Za-z_$][\w$]*)["']?(?:\s*:\s*[\w.<>&' ]+)?(\s+(?::?=|=>)\s*|\s*(?::|=>)\s*|\()\\?["'`]$/

/** The constant that a quoted key defines. */
export function constantAt({ key, source, start, kind }: Reference): Constant | undefined {
  if (kind === "generated") return undefined
  const from = Math.max(source.text.lastIndexOf("\n", start - 1) + 1, start - 200)
  const before = source.text.slice(from, start)
  const match = nameBefore.exec(before)
  if (match === null) return undefined
  const [, name = "", sign = ""] = match
  const isMember = !sign.includes("=") || sign.includes("=>")
  // `key: "x"` and `get("x")` may be any member or call: the name is a flag's constant only if it matches the key or is
  // in capitals.
  if (isMember && !isUpper(name) && letters(name) !== letters(key)) return undefined
  if (sign === "(" && !isUpper(name)) return undefined
  const isShared = isMember || /^[A-Z]/.test(name) || /\b(?:export|public|pub|static|internal)\b/.test(before)
  return { name, key, source, start: from + match.index, isShared, isMember }
}

const isUpper = (name: string) => /^[A-Z][A-Z0-9_]*$/.test(name)
const letters = (text: string) => text.replace(/[^A-Za-z0-9]/g, "").toLowerCase()

/** Constants by name, without names that stand for several flags. */
export function constantsByName(constants: readonly Constant[]): ReadonlyMap<string, Constant> {
  const byName = new Map<string, Constant | undefined>()
  for (const constant of constants) {
    const { name, key } = constant
    const other = byName.has(name) ? byName.get(name) : constant
    byName.set(name, other?.key === key ? other : undefined)
  }
  const one = [...byName].flatMap(([name, constant]) =>
    constant === undefined ? [] : [[name, constant] as const],
  )
  return new Map(one)
}

/** Returns a function that finds the names of constants in a file. Call it once: the names become one regular expression. */
export function findConstants(
  constants: ReadonlyMap<string, Constant>,
): (source: SourceFile) => readonly Reference[] {
  const names = [...constants.keys()].map((name) => name.replaceAll("$", "\\$"))
  // In quotes or between hyphens, a name is part of other text, such as the key itself.
  const uses = new RegExp(`(?<![\\w$"'\`-])(?:${names.join("|")})(?![\\w$]|-\\w)`, "g")
  return (source) => {
    const found: Reference[] = []
    const kindOf = createKindOf(source.text)
    for (const { 0: name, index } of source.text.matchAll(uses)) {
      const constant = constants.get(name)
      if (constant === undefined || !isUse(constant, source, index)) continue
      found.push({
        key: constant.key,
        source,
        start: index,
        kind: kindOf(constant.key, "constant"),
        constant,
      })
    }
    return found
  }
}

function isUse(
  { source: own, start, isShared, isMember }: Constant,
  { path, text }: SourceFile,
  at: number,
): boolean {
  const isOwn = path === own.path
  if (isOwn ? at === start : !isShared) return false
  return !isMember || /[.:>]/.test(text.charAt(at - 1))
}

/** Whether a key is one plain word, such as `ranking`, which code may quote for other reasons. */
function isCommonWord(key: string): boolean {
  return /^[a-z]+$/.test(key)
}

/** Whether code has a call that looks like one for a flag, by the last name of what it calls. */
function callsFlags(text: string): boolean {
  return calls.test(text)
}

/** Words of names that are about flags, and the names that SDKs have for their calls, in any case style. */
const about = "\\w*(?:flag|feature|toggle|variation|variant|treatment|experiment)\\w*"
const asked = "is_?(?:on|enabled)|enabled|(?:is_?)?feature_?enabled"
const type = "bool(?:ean)?|string|number|int(?:eger)?|int32|int64|long|float|double|object|struct|json"
const typed = `(?:get|fetch|use|resolve)_?(?:${type})(?:_?(?:value|details|evaluation))*(?:_?async)?|(?:${type})_?(?:value|details)(?:_?(?:details|async))*`

/** A name up to its bracket, with the types in `<…>` and Rust's, Ruby's and Swift's marks. */
const calls = new RegExp(`(?<![\\w$])(?:${about}|${asked}|${typed})[?!]?(?:<[^<>()\\n]{1,80}>)?\\(`, "i")
