import { isScalar, isSeq, Lexer, LineCounter, type Node, parseDocument } from "yaml"
import { invalid, type Parsed } from "../../sdk/contract/parsed.ts"
import { type KeyRecord, type PlacedRecord, readKeyRecord, readTime } from "./key-record.ts"
import { maxTargetLength } from "./manifest.ts"
import { signatureSuffix } from "./signature.ts"
import { type Complain, type MemberReaders, offsetOf, readMembers, scalar } from "./yaml-members.ts"

/** A key file. */
export interface KeyFile {
  readonly keys: readonly KeyRecord[]
  /**
   * When `flagstone publish` sent it, in milliseconds since the epoch; `undefined`: it was not published. It always
   * increases at a target: nothing else shows which of two key files is older.
   */
  readonly publishedAt?: number | undefined
  /**
   * The address of the folder that it was published to, without a slash at the end; `undefined`: the
   * publisher did not know it.
   */
  readonly target?: string | undefined
}

/** The name of a published key file, in the manifest's folder. */
export const publishedKeyFile = "keys.yaml"

/** The name of its signature. */
export const publishedKeySignature = publishedKeyFile + signatureSuffix

/** The keys of a key file, read with `parseKeyFile`. */
export function parseKeyRecords(text: string): Parsed<readonly KeyRecord[]> {
  const parsed = parseKeyFile(text)
  return parsed.kind === "valid" ? { kind: "valid", value: parsed.value.keys } : parsed
}

/**
 * Reads a key file; one without keys is valid. A reason has a line `line:column: sentence` for each of the first
 * mistakes and quotes nothing from the file, so that it can be logged even if the file holds a secret.
 */
export function parseKeyFile(text: string): Parsed<KeyFile> {
  if (text.length > maxKeyFileLength)
    return invalid(`1:1: not a key file: longer than ${maxKeyFileLength} characters`)
  if (isTooDense(text)) return invalid("1:1: not a key file: too much punctuation")
  const lines = new LineCounter()
  const document = parseDocument<Node>(text, { ...strictYaml, lineCounter: lines })
  const mistakes: Mistake[] = []
  const complain: Complain = (offset, sentence, first) => void mistakes.push({ offset, sentence, first })

  const secret = text.search(secretShape)
  if (secret >= 0) {
    complain(
      secret,
      "a secret, visible to everyone who reads this file; remove it, revoke that key and create a new one",
    )
  }
  // Later errors mostly follow from the first. The parser's message quotes the text; its code does not.
  const [broken] = [...document.errors, ...document.warnings]
  if (broken !== undefined) {
    complain(
      broken.pos[0],
      `not valid YAML for a key file: ${broken.code.toLowerCase().replaceAll("_", " ")}`,
    )
  }
  const file = mistakes.length === 0 ? readFile(document.contents, complain) : noKeys
  return mistakes.length === 0 ? { kind: "valid", value: file } : invalid(formatMistakes(mistakes, lines))
}

/** In bytes and in characters: about 4,000 keys, which take a third of a second to parse. */
export const maxKeyFileLength = 1024 * 1024

/**
 * Whether a text has more tokens than keys could: they have fewer than three per ten characters. Parsing a mebibyte of
 * brackets takes five seconds and a gigabyte of memory; counting its first tokens costs almost nothing.
 */
function isTooDense(text: string): boolean {
  const most = 10_000 + 0.4 * text.length
  let tokens = 0
  for (const _ of new Lexer().lex(text)) if (++tokens > most) return true
  return false
}

/** A secret, even an incomplete one or one in a comment, which readers see as well. */
const secretShape = /fsk_[0-9A-Za-z]{16}/

// `uniqueKeys` would compare every pair of members, and a long file could block the thread for minutes.
const strictYaml = {
  schema: "core",
  merge: false,
  resolveKnownTags: false,
  uniqueKeys: false,
  prettyErrors: false,
} as const

const fileMembers: MemberReaders<KeyFile> = {
  publishedAt: { required: false, read: readTime },
  target: {
    required: false,
    read: scalar(`a target is a URL of at most ${maxTargetLength} characters`, (value) =>
      typeof value === "string" && value.length <= maxTargetLength ? value : undefined,
    ),
  },
  keys: { required: false, read: readList },
}

const noKeys: KeyFile = { keys: [] }

function readFile(contents: Node | null, complain: Complain): KeyFile {
  if (isNothing(contents)) return noKeys
  const { keys, publishedAt, target } = readMembers(contents, fileMembers, complain)
  return {
    keys: keys?.value ?? [],
    ...(publishedAt && { publishedAt: publishedAt.value }),
    ...(target && { target: target.value }),
  }
}

function readList(node: Node, complain: Complain): readonly KeyRecord[] {
  if (isNothing(node)) return []
  if (!isSeq<Node>(node)) {
    complain(offsetOf(node), "`keys` must be a list")
    return []
  }
  const placed = node.items.flatMap((item) => readKeyRecord(item, complain) ?? [])
  refuseRepeats(placed, "id", "two keys have this id; change one of them", complain)
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
    return `${line}:${col}: ${sentence}${first === undefined ? "" : ` (first on line ${lines.linePos(first).line})`}`
  })
  const hidden = mistakes.length - shown.length
  return [...shown, ...(hidden > 0 ? [`and ${hidden} more`] : [])].join("\n")
}
