import { Agent } from "undici"
import { certificateAdvice } from "../contract/certificate-advice.ts"
import { adviceOnRedirect } from "../contract/http.ts"
import { maxDocumentLength } from "../contract/manifest.ts"
import { readStoreRefusal, type StoreRefusal } from "../contract/store-refusal.ts"
import { digest } from "./digest.ts"
import { allocateDocument } from "./document-memory.ts"
import { broken, good, unavailable } from "./fault.ts"
import type { SourceFolder } from "./source.ts"

/** Milliseconds that a server may take. */
export interface AddressTimeouts {
  /** To accept a connection, to begin the answer, and between two parts of it. */
  readonly step: number
  /** For one file from beginning to end, however slowly it arrives. */
  readonly file: number
}

export interface AddressConfig {
  /** Ends with a slash. */
  readonly base: URL
  /** The file that is read first. It is polled with conditional requests. */
  readonly first: string
  /** How to provide a missing file, as an imperative. */
  readonly fixOf: (file: string) => string
  /** The `Authorization` header; `undefined`: none. */
  readonly authorization: string | undefined
  /** The headers that a store asks for with a request for a file, which must have no others that count; by default none. */
  readonly sign?: ((url: URL) => Promise<Readonly<Record<string, string>>>) | undefined
  readonly timeouts?: AddressTimeouts
}

const defaultTimeouts: AddressTimeouts = { step: 10_000, file: 60_000 }

/** A file, and the headers that make the next request for it conditional (RFC 9110, 13.1). */
interface FetchedFile {
  readonly bytes: Buffer
  readonly conditions: Readonly<Record<string, string>>
}

const nothingFetched: FetchedFile = { bytes: Buffer.alloc(0), conditions: {} }

/** A folder on an HTTP server. Redirects are not followed: they would send the authorization to another server. */
export function createAddress(config: AddressConfig): SourceFolder {
  const { base, authorization, sign, fixOf, timeouts = defaultTimeouts } = config
  const agent = new Agent({
    connections: 4,
    connect: { timeout: timeouts.step },
    headersTimeout: timeouts.step,
    bodyTimeout: timeouts.step,
    maxHeaderSize: 16 * 1024,
  })
  let first = nothingFetched

  return {
    location: base.href,
    async read(file, limit, { isForced, signal }, known) {
      if (known !== undefined) return good(known)
      if (limit > maxDocumentLength) return broken(`${file} is longer than ${maxDocumentLength} bytes`)
      const fault = (reason: string) => unavailable(`${new URL(file, base).href}: ${reason}`)
      const before = file === config.first && !isForced ? first : nothingFetched
      try {
        const { statusCode, headers, body } = await agent.request({
          origin: base.origin,
          path: base.pathname + file,
          method: "GET",
          headers: {
            accept: "*/*",
            "accept-encoding": "identity",
            ...(authorization !== undefined && { authorization }),
            ...(await sign?.(new URL(file, base))),
            ...before.conditions,
          },
          signal: AbortSignal.any([signal, AbortSignal.timeout(timeouts.file)]),
        })
        if (statusCode === 304 && Object.keys(before.conditions).length > 0) {
          await body.dump()
          return good(before.bytes)
        }
        const store = statusCode < 300 ? undefined : readStoreRefusal(await readStart(body))
        const reason =
          reasonToRefuse(statusCode, store, headers, fixOf(file), config) ??
          (Number(headers["content-length"]) > limit ? tooLong(limit) : undefined)
        const bytes = reason === undefined ? await readAtMost(body, limit) : undefined
        if (bytes === undefined) {
          body.on("error", () => undefined).destroy()
          return fault(reason ?? tooLong(limit))
        }
        if (file === config.first) first = { bytes, conditions: conditionsOf(headers) }
        return good(bytes)
      } catch (error) {
        return fault(reasonOf(error))
      }
    },
    version: async (found) => (found.kind === "good" ? good(await digest(found.value)) : found),
  }
}

/**
 * Never both headers: some stores then use the date, although RFC 9110, 13.1.3, forbids it. Dates count seconds, and
 * some servers make tags from the date and the length, which different manifests may share: a change within the second
 * in which the file was read would never be noticed. Therefore, as RFC 9110, 8.8.2.2, advises for dates, an answer that
 * was modified just before has no validators yet.
 */
function conditionsOf(
  headers: Readonly<Record<string, string | string[] | undefined>>,
): FetchedFile["conditions"] {
  const [etag, lastModified, date] = [headers.etag, headers["last-modified"], headers.date].map(textOf)
  const age = Date.parse(date ?? "") - Date.parse(lastModified ?? "")
  if (lastModified !== undefined && !(age >= settled)) return {}
  if (etag !== undefined) return { "if-none-match": etag }
  return lastModified === undefined ? {} : { "if-modified-since": lastModified }
}

/** Milliseconds: one second, plus one because the file system's clock lags behind the server's. */
const settled = 2_000

/** Why an answer should not be read; `undefined`: it should. */
function reasonToRefuse(
  status: number,
  store: StoreRefusal | undefined,
  headers: Readonly<Record<string, string | string[] | undefined>>,
  fix: string,
  { sign, authorization }: AddressConfig,
): string | undefined {
  const isSigned = sign !== undefined
  const coding = headers["content-encoding"]
  const returned = `returned ${status}${store?.code === undefined ? "" : ` ${store.code}`}`
  if (isSigned && store?.advice !== undefined) return `${returned}: ${store.advice}`
  if (status === 403 && isSigned)
    return `${returned}: the AWS_* credentials may not read this, or the file is not there`
  // Every S3-compatible store sends this header, and without the right to list it answers 403 for a missing object.
  if (status === 403 && headers["x-amz-request-id"] !== undefined)
    return `${returned}: the bucket is private, or the file is not there; let the proxy read it in one of the ways of docs/operating.md, "A private bucket"`
  if ((status === 401 || status === 403) && authorization !== undefined)
    return `${returned}; the server refused FLAGSTONE_SNAPSHOTS_AUTHORIZATION: check its value and its rights`
  if (status === 401 || status === 403)
    return `${returned}; put the credentials in FLAGSTONE_SNAPSHOTS_AUTHORIZATION or, for S3, name the bucket as s3://bucket/path`
  if (status === 404) return `${returned}; ${fix}`
  if (status !== 200) return `${returned}${adviceOnRedirect(status)}`
  if (coding !== undefined && coding !== "identity")
    return "sent a compressed response that was not requested; serve the files uncompressed"
  return undefined
}

/** The first 4 KiB of a body, or what came of them; the rest is given up. */
async function readStart(body: AsyncIterable<Buffer>): Promise<string> {
  let text = ""
  try {
    for await (const chunk of body) {
      text += chunk.toString("latin1", 0, 4096)
      if (text.length >= 4096) break
    }
  } catch {
    // The status says enough.
  }
  return text.slice(0, 4096)
}

/** `undefined`: it is longer. */
async function readAtMost(body: AsyncIterable<Buffer>, limit: number): Promise<Buffer | undefined> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of body) {
    length += chunk.length
    if (length > limit) return undefined
    chunks.push(chunk)
  }
  const bytes = allocateDocument(length)
  let at = 0
  for (const chunk of chunks) {
    bytes.set(chunk, at)
    at += chunk.length
  }
  return bytes
}

function tooLong(limit: number): string {
  return `longer than ${limit} bytes`
}

/** An error's code says how the system call failed; some of undici's codes are time-outs. */
function reasonOf(error: unknown): string {
  const { name, code, message } = error as NodeJS.ErrnoException
  if (name === "TimeoutError" || code?.endsWith("_TIMEOUT")) return "took too long to respond"
  if (code === "UND_ERR_RES_CONTENT_LENGTH_MISMATCH" || code === "UND_ERR_SOCKET")
    return "closed the connection before the end of its response"
  return code === undefined ? message : `cannot be reached (${code})${certificateAdvice(code)}`
}

function textOf(header: string | string[] | undefined): string | undefined {
  return typeof header === "string" ? header : undefined
}
