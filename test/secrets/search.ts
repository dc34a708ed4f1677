import { hash } from "node:crypto"
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { parseApiKey } from "../../proxy/contract/api-key.ts"
import type { Entry } from "./record.ts"

type Secret = Extract<Entry, { kind: "secret" }>
type Said = Extract<Entry, { kind: "said" }>

/** This many consecutive characters of a secret are found: far more than chance gives, and fewer than a secret has. */
const piece = 32

/**
 * Searches the output of a run's processes for all secrets of the run: as they are, percent-encoded, in base64 or
 * hexadecimal, whole or any 32 characters of one; and for everything that parses as an API key, whoever made it. One
 * sentence for each output and secret, which shows the secret's digest and never the secret.
 */
export function findLeaks(entries: readonly Entry[]): readonly string[] {
  const secrets = new Map<string, Secret>()
  const outputs = new Map<string, Said[]>()
  for (const entry of entries) {
    if (entry.kind === "secret") {
      const text = entry.text.replace(/^fsk_/, "")
      for (let at = 0; at + piece <= text.length; at++) secrets.set(text.slice(at, at + piece), entry)
    } else {
      const output = `${entry.test}\0${entry.where}`
      const pieces = outputs.get(output)
      if (pieces === undefined) outputs.set(output, [entry])
      else pieces.push(entry)
    }
  }
  const leaks = new Set<string>()
  for (const [first, ...more] of outputs.values()) {
    if (first === undefined) continue
    const lines = [first, ...more]
      .map(({ text }) => text)
      .join("")
      .split("\n") // a line may come in pieces
    for (const [index, line] of lines.entries()) {
      const found = line.length >= piece ? findIn(line, secrets) : undefined
      if (found !== undefined) leaks.add(`${first.test}: ${first.where}, line ${index + 1}, says ${found}`)
    }
  }
  return [...leaks]
}

/** Everything that the processes of a run recorded in its folder. A killed process may leave half a line at the end. */
export function readEntries(folder: string): readonly Entry[] {
  return readdirSync(folder).flatMap((file) =>
    readFileSync(join(folder, file), "utf8")
      .split("\n")
      .slice(0, -1)
      .map((line): Entry => JSON.parse(line)),
  )
}

function findIn(line: string, secrets: ReadonlyMap<string, Secret>): string | undefined {
  for (const { form, text } of readings(line)) {
    for (const [run] of text.matchAll(/[\w+/=-]{32,}/g)) {
      for (let at = 0; at + piece <= run.length; at++) {
        const secret = secrets.get(run.slice(at, at + piece))
        if (secret !== undefined) return `${form} the secret ${digestOf(secret.text)} of ${secret.test}`
      }
    }
    for (const [key] of text.matchAll(/fsk_\w{49}/g)) {
      if (parseApiKey(key) !== undefined) return `${form} the API key ${digestOf(key)}`
    }
  }
  return undefined
}

interface Reading {
  readonly form: string
  readonly text: string
}

/** What a line may mean. */
function* readings(line: string): Generator<Reading> {
  const plain = line.replace(/%([0-9a-f]{2})/gi, (_, digits) =>
    String.fromCharCode(Number.parseInt(digits, 16)),
  )
  yield { form: "openly", text: line }
  if (plain !== line) yield { form: "percent-encoded", text: plain }
  for (const [run] of plain.matchAll(/[0-9a-f]{64,}/gi)) {
    for (const shift of [0, 1]) yield { form: "in hexadecimal", text: decode(run.slice(shift), "hex") }
  }
  for (const [run] of plain.matchAll(/[\w+/-]{43,}/g)) {
    for (const shift of [0, 1, 2, 3]) yield { form: "in base64", text: decode(run.slice(shift), "base64") }
  }
}

const decode = (text: string, encoding: "hex" | "base64"): string =>
  Buffer.from(text, encoding).toString("latin1")

/** The public name of a secret: a key file shows it, too. */
const digestOf = (secret: string): string => `sha256:${hash("sha256", secret, "hex").slice(0, 12)}…`
