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
  let number = 1
  let parts: Uint8Array[] = []
  let length = 0
  const place = () => `${name}, line ${number}`
  const contextIn = (end: Uint8Array) => {
    const text = decode(Buffer.concat([...parts, end]), place())
    return text.trim() === "" ? [] : [{ context: parseContext(text, place()), line: number }]
  }
  for await (const chunk of stream) {
    const bytes = chunk as Uint8Array
    let start = 0
    for (let end = bytes.indexOf(lineFeed); end !== -1; end = bytes.indexOf(lineFeed, start)) {
      yield* contextIn(bytes.subarray(start, end))
      number++
      parts = []
      length = 0
      start = end + 1
    }
    parts.push(bytes.subarray(start))
    length += bytes.length - start
    if (length > longestLine) throw new Failure(`${place()}: a context may have at most ${longestLine} bytes`)
  }
  yield* contextIn(new Uint8Array())
}

const lineFeed = 10

/** In bytes. A context is what a request knows about a user. */
const longestLine = 16 * 1024 * 1024

const decoder = new TextDecoder("utf-8", { fatal: true })

function decode(bytes: Uint8Array, where: string): string {
  try {
    return decoder.decode(bytes)
  } catch (cause) {
    throw new Failure(`${where}: the text is not UTF-8`, { cause })
  }
}

async function readText(path: string, name: string): Promise<string> {
  const bytes = await readFile(path).catch((cause: NodeJS.ErrnoException) => {
    throw new Failure(`--context: cannot read ${name}: ${cause.code}`, { cause })
  })
  return decode(bytes, name)
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
