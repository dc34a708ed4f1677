import { Document, isMap, isNode, isSeq, type Node, parseDocument, type YAMLMap } from "yaml"
import type { KeyRecord } from "../../proxy/contract/key-record.ts"
import type { Span } from "../diagnostics/diagnostic.ts"
import { applyEdits } from "../edit/apply-edits.ts"
import type { StoredKeys } from "./stored-keys.ts"

// Edits are made in the text, at offsets that the YAML parser finds. Printing the parsed document would reformat the
// whole file, but a review should show only the key that changed.

/** A key file before its first key. */
export const newKeyFile: StoredKeys = {
  text: `# The API keys that clients use to read flags. \`flagstone keys\` creates and revokes them.
# This file has only the SHA-256 of each secret, so it can be committed and reviewed.
# Revoke keys instead of deleting them: the file then still shows who could read what, and until when.
`,
  keys: [],
}

/** Adds a key at the end. All other text stays as it is. */
export function addKey({ text, keys }: StoredKeys, key: KeyRecord): StoredKeys {
  return { text: addItem(text, key), keys: [...keys, key] }
}

function addItem(text: string, key: KeyRecord): string {
  const list = findList(text)
  if (list === undefined) return insertLines(text, text.length, ["keys:", ...formatKey(key, 2)])
  const { start, end } = spanOf(list)
  if (isSeq(list) && list.items.length > 0) {
    return insertLines(text, text.length, formatKey(key, columnOf(text, start)))
  }
  const emptied = text.slice(0, start).trimEnd() + text.slice(end) // `keys: []` becomes `keys:`
  return insertLines(emptied, emptied.length, formatKey(key, 2))
}

/** Revokes a key at a time in milliseconds since the epoch. All other text stays as it is. */
export function revokeKey(stored: StoredKeys, id: string, time: number): StoredKeys {
  return setTime(stored, id, "revokedAt", time)
}

/** Lets a key expire at a time in milliseconds since the epoch. All other text stays as it is. */
export function expireKey(stored: StoredKeys, id: string, time: number): StoredKeys {
  return setTime(stored, id, "expiresAt", time)
}

type EndField = "expiresAt" | "revokedAt"

function setTime({ text, keys }: StoredKeys, id: string, field: EndField, time: number): StoredKeys {
  return {
    text: setText(text, id, field, new Date(time).toISOString()),
    keys: keys.map((key) => (key.id === id ? { ...key, [field]: time } : key)),
  }
}

function setText(text: string, id: string, field: EndField, time: string): string {
  const list = findList(text)
  const items = isSeq<YAMLMap<string, unknown>>(list) ? list.items : []
  const item = items.find((candidate) => candidate.get("id") === id)
  if (item === undefined) return text
  const written = item.get(field, true)
  if (written !== undefined) return applyEdits(text, [{ ...spanOf(written), text: time }])
  const { end } = spanOf(item.items.at(-1)?.value ?? item)
  if (item.flow) return applyEdits(text, [{ start: end, end, text: `, ${field}: ${time}` }])
  const indent = " ".repeat(columnOf(text, spanOf(item).start))
  return insertLines(text, end, [`${indent}${field}: ${time}`])
}

/** The value of `keys:`; `undefined` if there is no such member. */
function findList(text: string): Node | undefined {
  const { contents } = parseDocument<Node>(text, { schema: "core", uniqueKeys: false, prettyErrors: false })
  return isMap<Node, Node>(contents) ? contents.get("keys", true) : undefined
}

/** The lines of a list item, with its dash in this column. */
export function formatKey(key: KeyRecord, column: number): readonly string[] {
  const document = new Document<Node>({
    id: key.id,
    project: key.project,
    environment: key.environment,
    for: key.for,
    flags: key.flags,
    owner: key.owner,
    digest: `sha256:${key.digest}`,
    createdAt: timeOf(key.createdAt),
    notBefore: timeOf(key.notBefore),
    expiresAt: timeOf(key.expiresAt),
    revokedAt: timeOf(key.revokedAt),
    rateLimit: key.rateLimit,
  })
  for (const member of [document.get("rateLimit", true), document.get("flags", true)])
    if (isMap(member) || isSeq(member)) member.flow = true
  const lines = document.toString({ lineWidth: 0 }).trimEnd().split("\n")
  return lines.map((line, index) => " ".repeat(column) + (index === 0 ? "- " : "  ") + line)
}

function timeOf(moment: number | undefined): string | undefined {
  return moment === undefined ? undefined : new Date(moment).toISOString()
}

function spanOf(node: unknown): Span {
  const range = isNode(node) ? node.range : undefined
  return { start: range?.[0] ?? 0, end: range?.[1] ?? 0 }
}

function columnOf(text: string, offset: number): number {
  return offset - (text.lastIndexOf("\n", offset - 1) + 1)
}

/** Inserts lines, with the text's line endings, before the first line that begins at or after an offset. */
function insertLines(text: string, offset: number, lines: readonly string[]): string {
  const newline = text.includes("\r\n") ? "\r\n" : "\n"
  const lineEnd = text.indexOf("\n", offset - 1)
  const start = lineEnd < 0 ? text.length : lineEnd + 1
  const isUnended = start > 0 && text[start - 1] !== "\n"
  const inserted = (isUnended ? newline : "") + lines.map((line) => line + newline).join("")
  return applyEdits(text, [{ start, end: start, text: inserted }])
}
