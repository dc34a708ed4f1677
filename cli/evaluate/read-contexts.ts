import { isUtf8 } from "node:buffer"
import { readFile } from "node:fs/promises"
import { resolve } from "node:path"
import type { Context } from "../../sdk/evaluation/evaluation.ts"
import { Failure } from "../failure.ts"
import type { Host } from "../host.ts"

/** A context, and its line if there may be several. */
export interface GivenContext {
  readonly context: Context
  /** Counted from 1; `undefined` if the context is the only one. */
  readonly line: number | undefined
}

/**
 * The contexts that `--context` gives: JSON itself, `@` and the name of a file, or `-` for lines of JSON on stdin, which
 * are read one by one. Throws `Failure` with the place of a context that is not a JSON object.
 */
export async function* readContexts(given: string, host: Host): AsyncGenerator<GivenContext> {
  if (given === "-") yield* readContextLines(host.stdin, "stdin")
  else if (given.startsWith("@")) {
    const text = await readText(resolve(host.cwd, given.slice(1)), given.slice(1))
    yield { context: parseContext(text, given.slice(1)), line: undefined }
  } else yield { context: parseContext(given, "--context"), line: undefined }
}

/**
 * The contexts of a stream with one on each line, one by one. Empty lines are skipped. Throws `Failure` with the stream's
 * name and the line of a context that is not a JSON object.
 */
export async function* readContextLines(
  stream: AsyncIterable<unknown>,
  name: string,
): AsyncGenerator<GivenContext & { readonly line: number }> {
  const decoder = new TextDecoder("utf-8", { fatal: true })
  let number = 1
  let parts: string[] = []
  let length = 0
  const place = (line = number) => `${name}, line ${line}`
  const contextOf = (text: string) => ({ context: parseContext(text, place()), line: number })
  for await (const chunk of stream) {
    const [rest = "", ...lines] = decode(decoder, chunk as Uint8Array, place, number).split("\n")
    parts.push(rest)
    length += rest.length
    for (const next of lines) {
      const text = parts.join("")
      if (text.trim() !== "") yield contextOf(text)
      number++
      parts = [next]
      length = next.length
    }
    if (length > longestLine)
      throw new Failure(`${place()}: a context may have at most ${longestLine} characters`)
  }
  const last = parts.join("") + decode(decoder, undefined, place, number)
  if (last.trim() !== "") yield contextOf(last)
}

/** In characters. A context is what a request knows about a user. */
const longestLine = 16 * 1024 * 1024

function decode(
  decoder: TextDecoder,
  bytes: Uint8Array | undefined,
  place: (line?: number) => string,
  number: number,
): string {
  try {
    return decoder.decode(bytes, { stream: bytes !== undefined })
  } catch (cause) {
    const lines = Buffer.from(bytes ?? [])
      .toString("latin1")
      .split("\n")
    const wrong = lines.findIndex((line) => !isUtf8(Buffer.from(line, "latin1")))
    throw new Failure(`${place(number + Math.max(0, wrong))}: the text is not UTF-8`, { cause })
  }
}

async function readText(path: string, name: string): Promise<string> {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(await readFile(path))
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException
    const reason =
      code === "ERR_ENCODING_INVALID_ENCODED_DATA" ? "it is not UTF-8 text" : (code ?? "unreadable")
    throw new Failure(`--context: cannot read ${name}: ${reason}`, { cause })
  }
}

function parseContext(text: string, where: string): Context {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (cause) {
    const [, name, word] = /^([\w.-]+)[=:]([^"'{}]*)$/.exec(text) ?? []
    const meant = name === undefined ? "" : `; write ${JSON.stringify({ [name]: word })}`
    throw new Failure(`${where}: not JSON: ${(cause as Error).message}${meant}`, { cause })
  }
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as Context
  throw new Failure(`${where}: a context must be a JSON object, such as {"plan":"pro"}`)
}
