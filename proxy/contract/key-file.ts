import { isScalar, isSeq, Lexer, LineCounter, type Node, parseDocument } from "yaml"
import { type KeyRecord, type PlacedRecord, readKeyRecord } from "./key-record.ts"
import { invalid, type Parsed } from "./parsed.ts"
import { type Complain, type Members, offsetOf, readMembers } from "./yaml-members.ts"

/**
 * The keys of a key file; a file without keys is valid. A reason has one line `line:column: sentence` for each of the
 * first mistakes and repeats nothing of the file, so that it can be logged even when the file holds a secret.
 */
export function parseKeyRecords(text: string): Parsed<readonly KeyRecord[]> {
  if (text.length > maxKeyFileLength)
    return invalid(`1:1: not a key file: longer than ${maxKeyFileLength} characters`)
  if (isTooDense(text)) return invalid("1:1: not a key file: more punctuation than keys have")
  const lines = new LineCounter()
  const document = parseDocument<Node>(text, { ...strictYaml, lineCounter: lines })
  const mistakes: Mistake[] = []
  const complain: Complain = (offset, sentence, first) => void mistakes.push({ offset, sentence, first })

  const secret = text.search(secretShape)
  if (secret >= 0) {
    complain(secret, "a secret, known to all who read this file; remove it, revoke that key and make another")
  }
  // Later errors mostly follow from the first. The parser's message quotes the text, its code does not.
  const [broken] = [...document.errors, ...document.warnings]
  if (broken !== undefined) {
    complain(
      broken.pos[0],
      `not YAML as a key file has it: ${broken.code.toLowerCase().replaceAll("_", " ")}`,
    )
  }
  const keys = mistakes.length === 0 ? readKeys(document.contents, complain) : []
  return mistakes.length === 0 ? { kind: "valid", value: keys } : invalid(formatMistakes(mistakes, lines))
}

/** In bytes, some 4,000 keys, which take a third of a second to parse. */
export const maxKeyFileLength = 1024 * 1024

/**
 * Whether a text has more tokens than keys have, which is less than three for ten characters. Parsing a mebibyte of
 * brackets takes five seconds and a gigabyte of memory; counting its first tokens takes almost none.
 */
function isTooDense(text: string): boolean {
  const most = 10_000 + 0.4 * text.length
  let tokens = 0
  for (const _ of new Lexer().lex(text)) if (++tokens > most) return true
  return false
}

/** A secret, also one whose end is missing, also in comments: people read them, too. */
const secretShape = /fsk_[0-9A-Za-z]{16}/

// `uniqueKeys` would compare each member with each other one and let a long file hold the thread for minutes.
const strictYaml = {
  schema: "core",
  merge: false,
  resolveKnownTags: false,
  uniqueKeys: false,
  prettyErrors: false,
} as const

const fileMembers: Members<{ readonly keys: readonly KeyRecord[] }> = {
  keys: { required: false, read: readList },
}

function readKeys(contents: Node | null, complain: Complain): readonly KeyRecord[] {
  if (isNothing(contents)) return []
  return readMembers(contents, fileMembers, complain).keys?.value ?? []
}

function readList(node: Node, complain: Complain): readonly KeyRecord[] {
  if (isNothing(node)) return []
  if (!isSeq<Node>(node)) {
    complain(offsetOf(node), "`keys` must be a list")
    return []
  }
  const placed = node.items.flatMap((item) => readKeyRecord(item, complain) ?? [])
  refuseRepeats(placed, "id", "two keys have this id; give one another", complain)
  refuseRepeats(placed, "digest", "two keys have this digest; remove one", complain)
  return placed.map(({ record }) => record)
}

function refuseRepeats(
  placed: readonly PlacedRecord[],
  member: "id" | "digest",
  sentence: string,
  complain: Complain,
): void {
  const seen = new Map<string, number>()
  for (const { value, offset } of placed.map((key) => key[member])) {
    const first = seen.get(value)
    if (first === undefined) seen.set(value, offset)
    else complain(offset, sentence, first)
  }
}

function isNothing(node: Node | null): node is null {
  return node === null || (isScalar(node) && node.value === null)
}

interface Mistake {
  readonly offset: number
  readonly sentence: string
  readonly first: number | undefined
}

const shownMistakes = 5

function formatMistakes(mistakes: readonly Mistake[], lines: LineCounter): string {
  const sorted = mistakes.toSorted((left, right) => left.offset - right.offset)
  const shown = sorted.slice(0, shownMistakes).map(({ offset, sentence, first }) => {
    const { line, col } = lines.linePos(offset)
    return `${line}:${col}: ${sentence}${first === undefined ? "" : ` (first in line ${lines.linePos(first).line})`}`
  })
  const hidden = mistakes.length - shown.length
  return [...shown, ...(hidden > 0 ? [`and ${hidden} more`] : [])].join("\n")
}
