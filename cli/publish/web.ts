import { EnvHttpProxyAgent } from "undici"
import { Failure } from "../failure.ts"

/** One HTTP request, whole. Header names are in lower case. */
export interface WebRequest {
  readonly method: "GET" | "PUT" | "DELETE"
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
}

/** Sends requests. */
export interface Web {
  /**
   * Makes and sends a request, and repeats it while the failure may be temporary: no connection, a time-out, 408, 429,
   * 5xx. `create` is called for each try, because a signature has a date. Redirects are not followed: they would carry
   * secrets elsewhere. Throws `Failure`, without anything that was sent, if the last try gets no answer.
   */
  request(create: () => WebRequest | Promise<WebRequest>): Promise<WebResponse>
  /** Resolves after the pause before the next try. */
  pause(tries: number): Promise<unknown>
  close(): Promise<void>
}

/** Uses the proxies that `HTTPS_PROXY`, `HTTP_PROXY` and `NO_PROXY` name, which CI machines may need. */
export function createWeb({ env, sleep, random }: WebConfig): Web {
  const agent = new EnvHttpProxyAgent({
    httpProxy: env.http_proxy ?? env.HTTP_PROXY ?? "",
    httpsProxy: env.https_proxy ?? env.HTTPS_PROXY ?? "",
    noProxy: env.no_proxy ?? env.NO_PROXY ?? "",
    connect: { timeout: 10_000 },
    headersTimeout: 30_000,
    bodyTimeout: 30_000,
    maxResponseSize: 512 * 1024 * 1024,
  })

  async function once({ method, url, headers, body }: WebRequest): Promise<WebResponse> {
    const answer = await agent.request({
      origin: url.origin,
      path: url.pathname + url.search,
      method,
      headers: { ...headers, ...(body && { "content-length": String(body.length) }) },
      body: body ?? null,
    })
    return {
      status: answer.statusCode,
      headers: answer.headers,
      body: Buffer.from(await answer.body.arrayBuffer()),
    }
  }

  const pause = (tries: number) => sleep(pauseAfter(tries, random()))

  return {
    async request(create) {
      for (let tries = 1; ; tries++) {
        const { method, url, ...rest } = await create()
        try {
          const response = await once({ method, url, ...rest })
          if (!isTemporary(response.status) || tries === mostTries) return response
        } catch (cause) {
          const reason = reasonOf(cause)
          const isLasting = lastingFaults.test(reason)
          const fix = isLasting ? "; if you have your own certificate authority, set NODE_EXTRA_CA_CERTS" : ""
          if (isLasting || tries === mostTries)
            throw new Failure(`${method} ${url.origin}${url.pathname}: ${reason}${fix}`)
        }
        await pause(tries)
      }
    },
    pause,
    close: () => agent.destroy(), // requests that are still under way have been given up
  }
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
  return code ?? message
}
