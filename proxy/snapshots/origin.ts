import { Agent } from "undici"
import { allocateDocument } from "../prepare/document-memory.ts"

/** The server that a published set lies on. */
export interface Origin {
  /**
   * `GET` of a file below the base address, of at most `limit` bytes. With the validators of an earlier answer the
   * new one may be `unchanged`. Throws an error that names the file, and never what was sent along.
   */
  get(file: string, limit: number, validators?: Validators): Promise<OriginAnswer>
}

/** What makes a request conditional, RFC 9110, 13.1; `undefined` where the origin gave none that can be relied on. */
export interface Validators {
  readonly etag: string | undefined
  readonly lastModified: string | undefined
}

export type OriginAnswer =
  | { readonly kind: "unchanged" }
  | { readonly kind: "found"; readonly bytes: Buffer; readonly validators: Validators }

/** Milliseconds that an origin may take. */
export interface OriginPatience {
  /** To take a connection, to begin the answer, and between two parts of it. */
  readonly step: number
  /** For one file from its beginning to its end, however it trickles. */
  readonly file: number
}

export interface OriginConfig {
  /** Ends with a slash. */
  readonly base: URL
  /** What to send as `Authorization`; `undefined`: nothing. */
  readonly authorization: string | undefined
  readonly patience: OriginPatience
}

/** Redirects are not followed: they would carry the authorization to whoever the answer names. */
export function createOrigin({ base, authorization, patience }: OriginConfig): Origin {
  const { step } = patience
  const agent = new Agent({
    connections: 4,
    connect: { timeout: step },
    headersTimeout: step,
    bodyTimeout: step,
    maxHeaderSize: 16 * 1024,
  })

  return {
    async get(file, limit, validators) {
      try {
        const { statusCode, headers, body } = await agent.request({
          origin: base.origin,
          path: base.pathname + file,
          method: "GET",
          headers: requestHeaders(authorization, validators),
          signal: AbortSignal.timeout(patience.file),
        })
        if (statusCode === 304 && validators !== undefined) {
          await body.dump()
          return { kind: "unchanged" }
        }
        const trouble =
          troubleOf(statusCode, headers["content-encoding"]) ??
          (Number(headers["content-length"]) > limit ? `longer than ${limit} bytes` : undefined)
        if (trouble !== undefined) {
          body.on("error", () => undefined).destroy()
          throw new Error(trouble)
        }
        const bytes = await readAtMost(body, limit)
        return { kind: "found", bytes, validators: validatorsOf(headers) }
      } catch (cause) {
        throw new Error(`${new URL(file, base).href}: ${reasonOf(cause)}`)
      }
    },
  }
}

function requestHeaders(
  authorization: string | undefined,
  validators: Validators | undefined,
): Record<string, string> {
  const headers: Record<string, string> = { accept: "application/json", "accept-encoding": "identity" }
  if (authorization !== undefined) headers.authorization = authorization
  // Never both: some stores look at the date though RFC 9110, 13.1.3, forbids it.
  if (validators?.etag !== undefined) headers["if-none-match"] = validators.etag
  else if (validators?.lastModified !== undefined) headers["if-modified-since"] = validators.lastModified
  return headers
}

/**
 * A date counts seconds, and servers make a tag of it and the length, which another manifest shares: what changed
 * within the second in which it was read would look unchanged for ever. So, as RFC 9110, 8.8.2.2, says of dates, what
 * was changed just before the answer has no validators yet.
 */
function validatorsOf(headers: Readonly<Record<string, string | string[] | undefined>>): Validators {
  const [etag, lastModified, date] = [headers.etag, headers["last-modified"], headers.date].map(textOf)
  if (lastModified === undefined) return { etag, lastModified }
  const age = Date.parse(date ?? "") - Date.parse(lastModified)
  return age >= settled ? { etag, lastModified } : { etag: undefined, lastModified: undefined }
}

/** Milliseconds: one second, and one for what the clock of files lags behind that of answers. */
const settled = 2_000

/** Why an answer is none to read; `undefined`: it is one. */
function troubleOf(status: number, coding: string | string[] | undefined): string | undefined {
  if (status === 401 || status === 403)
    return `answered ${status}; give what it asks for in FLAGSTONE_SNAPSHOTS_AUTHORIZATION`
  if (status === 404) return "answered 404; publish the snapshots there"
  if (status >= 300 && status < 400)
    return `answered ${status}; redirects are not followed, name the last address`
  if (status !== 200) return `answered ${status}`
  if (coding !== undefined && coding !== "identity")
    return "answered compressed though it was not asked to; serve the files as they are"
  return undefined
}

async function readAtMost(body: AsyncIterable<Buffer>, limit: number): Promise<Buffer> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of body) {
    length += chunk.length
    if (length > limit) throw new Error(`longer than ${limit} bytes`)
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

/** An error's cause names the system call; some messages of undici are code for time-outs. */
function reasonOf(error: unknown): string {
  const { name, code, message } = error as NodeJS.ErrnoException
  if (name === "TimeoutError" || code?.endsWith("_TIMEOUT")) return "took too long to answer"
  return code === undefined ? message : `cannot be reached (${code})`
}

function textOf(header: string | string[] | undefined): string | undefined {
  return typeof header === "string" ? header : undefined
}
