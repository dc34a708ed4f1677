import { Agent } from "undici"
import { allocateDocument } from "../prepare/document-memory.ts"
import { good, type Result, unavailable } from "../reload/fault.ts"

/** The server that a published set lies on. */
export interface Origin {
  /**
   * `GET` of a file below the base address, of at most `limit` bytes. An earlier answer is given back where the file has
   * not changed `before` it was asked for again. A fault names the file, and never what was sent along.
   */
  get(file: string, limit: number, signal: AbortSignal, before?: Fetched): Promise<Result<Fetched>>
}

/** A file and what makes the next request for it conditional. */
export interface Fetched {
  readonly bytes: Buffer
  readonly validators: Validators
}

/** RFC 9110, 13.1; `undefined` where the origin gave none that can be relied on. */
interface Validators {
  readonly etag: string | undefined
  readonly lastModified: string | undefined
}

const noValidators: Validators = { etag: undefined, lastModified: undefined }

/** An answer that no later one is like. */
export const nothingFetched: Fetched = { bytes: Buffer.alloc(0), validators: noValidators }

/** Milliseconds that an origin may take. */
export interface OriginTimeouts {
  /** To take a connection, to begin the answer, and between two parts of it. */
  readonly step: number
  /** For one file from its beginning to its end, however slowly it trickles. */
  readonly file: number
}

export interface OriginConfig {
  /** Ends with a slash. */
  readonly base: URL
  /** What to send as `Authorization`; `undefined`: nothing. */
  readonly authorization: string | undefined
  readonly timeouts?: OriginTimeouts
}

const defaultTimeouts: OriginTimeouts = { step: 10_000, file: 60_000 }

/** Redirects are not followed: they would carry the authorization to the server that the answer names. */
export function createOrigin({ base, authorization, timeouts = defaultTimeouts }: OriginConfig): Origin {
  const { step } = timeouts
  const agent = new Agent({
    connections: 4,
    connect: { timeout: step },
    headersTimeout: step,
    bodyTimeout: step,
    maxHeaderSize: 16 * 1024,
  })

  return {
    async get(file, limit, signal, before = nothingFetched) {
      const fault = (reason: string) => unavailable(`${new URL(file, base).href}: ${reason}`)
      const conditions = conditionsOf(before.validators)
      try {
        const { statusCode, headers, body } = await agent.request({
          origin: base.origin,
          path: base.pathname + file,
          method: "GET",
          headers: {
            accept: "application/json",
            "accept-encoding": "identity",
            ...(authorization !== undefined && { authorization }),
            ...conditions,
          },
          signal: AbortSignal.any([signal, AbortSignal.timeout(timeouts.file)]),
        })
        if (statusCode === 304 && Object.keys(conditions).length > 0) {
          await body.dump()
          return good(before)
        }
        const reason =
          reasonToRefuse(statusCode, headers["content-encoding"]) ??
          (Number(headers["content-length"]) > limit ? tooLong(limit) : undefined)
        const bytes = reason === undefined ? await readAtMost(body, limit) : undefined
        if (bytes !== undefined) return good({ bytes, validators: validatorsOf(headers) })
        body.on("error", () => undefined).destroy()
        return fault(reason ?? tooLong(limit))
      } catch (error) {
        return fault(reasonOf(error))
      }
    },
  }
}

/** Never both: some stores look at the date though RFC 9110, 13.1.3, forbids it. */
function conditionsOf({ etag, lastModified }: Validators): Record<string, string> {
  if (etag !== undefined) return { "if-none-match": etag }
  return lastModified === undefined ? {} : { "if-modified-since": lastModified }
}

/**
 * A date counts seconds, and servers make a tag of it and the length, which another manifest shares: a
 * change within the second in which it was read would never be noticed. So, as RFC 9110, 8.8.2.2, says of dates, an
 * answer that was changed just before has no validators yet.
 */
function validatorsOf(headers: Readonly<Record<string, string | string[] | undefined>>): Validators {
  const [etag, lastModified, date] = [headers.etag, headers["last-modified"], headers.date].map(textOf)
  if (lastModified === undefined) return { etag, lastModified }
  const age = Date.parse(date ?? "") - Date.parse(lastModified)
  return age >= settled ? { etag, lastModified } : noValidators
}

/** Milliseconds: one second, and one because the clock of files lags behind that of answers. */
const settled = 2_000

/** Why an answer is not worth reading; `undefined`: it is. */
function reasonToRefuse(status: number, coding: string | string[] | undefined): string | undefined {
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

/** An error's code names what the system call met; some codes of undici are time-outs. */
function reasonOf(error: unknown): string {
  const { name, code, message } = error as NodeJS.ErrnoException
  if (name === "TimeoutError" || code?.endsWith("_TIMEOUT")) return "took too long to answer"
  return code === undefined ? message : `cannot be reached (${code})`
}

function textOf(header: string | string[] | undefined): string | undefined {
  return typeof header === "string" ? header : undefined
}
