import { EnvHttpProxyAgent } from "undici"
import { certificateAdvice } from "../../proxy/contract/certificate-advice.ts"
import { Failure } from "../failure.ts"

/** One HTTP request, whole. Header names are in lower case. */
export interface WebRequest {
  readonly method: "GET" | "PUT" | "DELETE" | "POST" | "PATCH"
  readonly url: URL
  readonly headers: Readonly<Record<string, string>>
  readonly body?: Uint8Array
}

/** One HTTP response, whole. */
export interface WebResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly body: Buffer
}

/** What requests need from the outside world. */
export interface WebConfig {
  readonly env: Readonly<Record<string, string | undefined>>
  /** Resolves after this many milliseconds. */
  readonly sleep: (milliseconds: number) => Promise<unknown>
  /** A random number in [0, 1). */
  readonly random: () => number
  /** Milliseconds for which a server may send nothing; 30,000 by default. */
  readonly silence?: number
}

/** Sends requests. */
export interface Web {
  /**
   * Makes and sends a request, and repeats it while the failure may be temporary: no connection, a time-out, 408, 429,
   * 5xx. `create` is called for each try, because a signature has a date. Redirects are not followed: they would carry
   * secrets elsewhere. Throws `Failure`, without anything that was sent, if the last try gets no answer, or one whose body
   * has more than `longest` bytes, by default 1 MiB. It is sent at most `most` times.
   */
  request(
    create: () => WebRequest | Promise<WebRequest>,
    longest?: number,
    most?: number,
  ): Promise<WebResponse>
  /** Resolves after the pause before the next try. */
  pause(tries: number): Promise<unknown>
  close(): Promise<void>
}

/** Uses the proxies that `HTTPS_PROXY`, `HTTP_PROXY` and `NO_PROXY` name, which CI machines may need. */
export function createWeb({ env, sleep, random, silence = 30_000 }: WebConfig): Web {
  const agent = new EnvHttpProxyAgent({
    httpProxy: env.http_proxy ?? env.HTTP_PROXY ?? "",
    httpsProxy: env.https_proxy ?? env.HTTPS_PROXY ?? "",
    noProxy: env.no_proxy ?? env.NO_PROXY ?? "",
    connect: { timeout: 10_000 },
    bodyTimeout: silence,
  })

  async function once({ method, url, headers, body }: WebRequest, longest: number): Promise<WebResponse> {
    const answer = await agent.request({
      origin: url.origin,
      path: url.pathname + url.search,
      method,
      headers: { ...headers, ...(body && { "content-length": String(body.length) }) },
      body: body ?? null,
      headersTimeout: silence + (body?.length ?? 0) / slowestUpload, // which begins with the body's first byte
    })
    return {
      status: answer.statusCode,
      headers: answer.headers,
      body: await readAtMost(longest, answer.body),
    }
  }

  const pause = (tries: number) => sleep(pauseAfter(tries, random()))

  return {
    async request(create, longest = 1_048_576, most = mostTries) {
      for (let tries = 1; ; tries++) {
        const { method, url, ...rest } = await create()
        try {
          const response = await once({ method, url, ...rest }, longest)
          if (!isTemporary(response.status) || tries === most) return response
        } catch (cause) {
          const reason = reasonOf(cause)
          const isTooLong = cause instanceof TooLong
          const fix = isTooLong
            ? "; check the URL, and remove the file there if it is damaged"
            : certificateAdvice(reason)
          if (isTooLong || lastingFaults.test(reason) || tries === most)
            throw new Failure(`${method} ${url.origin}${url.pathname}: ${reason}${fix}`)
        }
        await pause(tries)
      }
    },
    pause,
    close: () => agent.destroy(), // requests that are still under way have been given up
  }
}

/** Bytes a millisecond. */
const slowestUpload = 100

/** A body that is longer than the file that was asked for can be: a server that never ends would fill the memory. */
class TooLong extends Error {}

async function readAtMost(longest: number, body: AsyncIterable<Buffer>): Promise<Buffer> {
  const parts: Buffer[] = []
  let length = 0
  for await (const part of body) {
    length += part.length
    if (length > longest) throw new TooLong(`its response has more than ${longest} bytes`)
    parts.push(part)
  }
  return Buffer.concat(parts)
}

const mostTries = 6

/** Codes of a TLS handshake that fails every time: a server without TLS, a certificate of an unknown authority. */
const lastingFaults = /^ERR_(SSL|TLS)_|CERT|UNABLE_TO_/

/** Milliseconds: a random part of a limit that doubles each time, so that many publishers do not retry at the same time. */
function pauseAfter(tries: number, random: number): number {
  return random * Math.min(10_000, 200 * 2 ** tries)
}

/** 501 is not temporary: stores answer it for requests that they do not support. */
function isTemporary(status: number): boolean {
  return status === 408 || status === 429 || (status >= 500 && status !== 501)
}

/** An error's code names the system call; its message may be empty if several addresses were tried. */
function reasonOf(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException
  if (code === "UND_ERR_HEADERS_TIMEOUT" || code === "UND_ERR_BODY_TIMEOUT") return "sent nothing for 30 s"
  if (code === "UND_ERR_SOCKET") return "closed the connection before the end of its response"
  return code ?? message
}
