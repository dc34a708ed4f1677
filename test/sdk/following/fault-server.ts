import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { gzipSync } from "node:zlib"
import type { FlagEntry } from "../../../sdk/contract/snapshot.ts"
import { flagOf, rule } from "../../proxy/ofrep/evaluated-flags.ts"

/** How the server answers a request for the document. */
export type Answer = (request: IncomingMessage, response: ServerResponse) => void

/** A server of flags that can be told to fail in any way. */
export interface FaultServer {
  readonly url: string
  /** When each request for the document came, in milliseconds of a clock that only goes forward. */
  readonly requests: readonly number[]
  /** Resolves when this many more requests for the document have come. */
  asked(more: number): Promise<void>
  /** Answers like this from now on. */
  answer(answer: Answer): void
  /** Closes the port and all connections, as a process that ended would. */
  goAway(): Promise<void>
  /** Listens at the same port again. */
  comeBack(): Promise<void>
}

export async function startFaultServer(): Promise<FaultServer> {
  const requests: number[] = []
  const waiting: (() => void)[] = []
  let respond: Answer = good(true)
  const server = createServer((request, response) => {
    if (request.url !== "/v1/flags") return response.writeHead(404).end()
    requests.push(performance.now())
    for (const look of waiting) look()
    return respond(request, response)
  })
  const listen = (port: number) => new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve))
  await listen(0)
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    asked(more) {
      const wanted = requests.length + more
      return new Promise((resolve) => waiting.push(() => requests.length >= wanted && resolve()))
    },
    answer: (answer) => {
      respond = answer
    },
    goAway: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
    comeBack: () => listen(port),
  }
}

/** The document in which the flag `switch` has this value, and a 304 to those who have it. */
export function good(value: boolean): Answer {
  const etag = `"${value}"`
  return (request, response) => {
    if (request.headers["if-none-match"] === etag) response.writeHead(304, { etag }).end()
    else response.writeHead(200, { etag, "content-type": "application/json" }).end(documentOf(value))
  }
}

/** The document in which the flag `switch` has this value for everyone. */
export function documentOf(value: boolean): string {
  return JSON.stringify({ flags: [switchOf(value)] })
}

/** The flag `switch` with a value for everyone. */
export function switchOf(value: boolean): FlagEntry {
  return flagOf("switch", "boolean", !value, [rule("always", "", "", value)])
}

/** A status without flags. */
export function refused(status: number, headers: Readonly<Record<string, string>> = {}): Answer {
  return (_, response) => response.writeHead(status, headers).end('{"error":"refused"}')
}

/** A body that is not a document. */
export function garbage(body: string | Uint8Array): Answer {
  return (_, response) => response.writeHead(200, { "content-type": "application/json" }).end(body)
}

/** A compressed document of which half is missing, though the length is right. */
export const truncatedGzip: Answer = (_, response) => {
  const whole = gzipSync(documentOf(false))
  const headers = { "content-type": "application/json", "content-encoding": "gzip", etag: '"half"' }
  response.writeHead(200, headers).end(whole.subarray(0, whole.length / 2))
}

/** A document of more than 64 MiB, nearly all of it blanks, compressed to less than a megabyte. */
export const compressedBlanks: Answer = (_, response) => {
  long ??= gzipSync(documentOf(false).replace("[", `[${" ".repeat(65 * 1024 * 1024)}`))
  response.writeHead(200, { "content-type": "application/json", "content-encoding": "gzip" }).end(long)
}

let long: Buffer | undefined

/** An answer that never begins. */
export const continues: Answer = (_, response) => {
  const timer = setInterval(() => response.writeContinue(), 10)
  response.once("close", () => clearInterval(timer))
}

/** A document whose connection ends in the middle. */
export const cutOff: Answer = (_, response) => {
  const text = documentOf(false)
  response.writeHead(200, { "content-type": "application/json", "content-length": text.length })
  response.write(text.slice(0, 50), () => response.destroy())
}

/** Another server, which a client must not send its key to. */
export const redirect: Answer = (_, response) =>
  response.writeHead(302, { location: "http://127.0.0.1:1/v1/flags" }).end()
