import { closeSync, openSync, readSync, statSync } from "node:fs"
import { type Report, type SourceFile, wholeFile } from "../../diagnostics/diagnostic.ts"
import { isListPath } from "./file-names.ts"

/**
 * What git leaves in a file whose filter did not run, by how its text begins. Every line of it would be a value of a list.
 * https://github.com/git-lfs/git-lfs/blob/main/docs/spec.md
 */
const beginnings: readonly (readonly [beginning: string, message: string])[] = [
  [
    "version https://git-lfs.github.com/spec/",
    "This is a pointer of Git LFS, not the file. Run `git lfs pull`, or check out with `lfs: true` in CI. Commits have only the pointer: to compare them, keep the file out of LFS.",
  ],
  ["/annex/objects/", "This is a pointer of git-annex, not the file. Run `git annex get`."],
  ["U2FsdGVkX1", "The file is encrypted, as transcrypt and OpenSSL do. Decrypt it."],
]

/** Why a text is not what its author wrote, as a message; `undefined` if it is. */
function whyUndelivered(text: string): string | undefined {
  return beginnings.find(([beginning]) => text.startsWith(beginning))?.[1]
}

const decoder = new TextDecoder("utf-8", { fatal: true })

/** No author writes a larger flag file; a generated one would stall every reader's editor. */
const maxFileBytes = 1_048_576

/** In bytes. About 100,000 ids. */
const maxListBytes = 4_194_304

function maxBytes(path: string): number {
  return isListPath(path) ? maxListBytes : maxFileBytes
}

/** A file's text; `undefined`, with a diagnostic, if it cannot be read. */
export function readSource(path: string, report: Report): SourceFile | undefined {
  let bytes: Uint8Array
  try {
    bytes = readBeginning(path)
    if (bytes.length > maxBytes(path)) return refuseSize(path, statSync(path).size, report)
  } catch (cause) {
    const message = `The file cannot be read (${(cause as NodeJS.ErrnoException).code}). Fix its permissions.`
    report.add({ code: "unreadable-file", message, ...nothingOf(path) })
    return undefined
  }
  return decodeSource(path, bytes, report)
}

/**
 * A file's bytes, at most one more than a list may have; the next call overwrites them. `readFileSync` would ask for
 * the size and allocate a buffer each time.
 */
function readBeginning(path: string): Uint8Array {
  const file = openSync(path, "r")
  try {
    let length = 0
    for (;;) {
      const read = readSync(file, space, length, space.length - length, null)
      length += read
      if (read === 0 || length === space.length) return space.subarray(0, length)
    }
  } finally {
    closeSync(file)
  }
}

const space = new Uint8Array(maxListBytes + 1)

/** A file's bytes as text; `undefined`, with a diagnostic, if they are not text, or not the file's own. */
export function decodeSource(path: string, bytes: Uint8Array, report: Report): SourceFile | undefined {
  if (bytes.length > maxBytes(path)) return refuseSize(path, bytes.length, report)
  const text = decode(bytes)
  if (text === undefined) return refuse(path, "The file is not UTF-8 text. Save it as UTF-8.", report)
  const why = whyUndelivered(text)
  return why === undefined ? { path, text } : refuse(path, why, report)
}

function refuse(path: string, message: string, report: Report): undefined {
  report.add({ code: "unreadable-file", message, ...nothingOf(path) })
}

function decode(bytes: Uint8Array): string | undefined {
  try {
    return decoder.decode(bytes)
  } catch {
    return undefined
  }
}

/** Reports a text that would be too large as a file. */
export function refuseLarge({ path, text }: SourceFile, report: Report): void {
  const size = Buffer.byteLength(text)
  if (size > maxBytes(path)) refuseSize(path, size, report)
}

function refuseSize(path: string, size: number, report: Report): undefined {
  const [what, advice] = isListPath(path)
    ? ["a list", "Send an attribute that says who is on it instead, such as `isCustomer`."]
    : [
        "a flag file",
        "Put a long list into a file of its own (`value: { file: customers.txt }`), and keep other large values elsewhere.",
      ]
  const message = `The file is ${size} bytes; ${what} may be at most ${maxBytes(path)}. ${advice}`
  report.add({ code: "file-too-large", message, ...nothingOf(path) })
}

/** The location of a diagnostic about a file whose text is not available. */
export function nothingOf(path: string) {
  return { source: { path, text: "" }, span: wholeFile }
}
