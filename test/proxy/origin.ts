import { hash } from "node:crypto"
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http"
import { createServer as createSecureServer } from "node:https"
import type { AddressInfo } from "node:net"
import type { SecureContextOptions } from "node:tls"

/** A real HTTP server of files that a test can change, and that records requests. */
export interface TestOrigin {
  readonly base: URL
  readonly files: Map<string, string>
  /** The requests since the last call: the last part of the path, and the status. */
  takeAsked(): readonly string[]
  readonly headers: IncomingMessage["headers"][]
  /** The file whose first byte is changed in answers, all headers being those of the whole one; `undefined`: none. */
  damage: string | undefined
  /** Answers instead of the files while it is set. */
  answer: ((req: IncomingMessage, res: ServerResponse) => void) | undefined
  stop(): Promise<void>
}

/** With a certificate it speaks only https. */
export async function startOrigin(port = 0, certificate?: SecureContextOptions): Promise<TestOrigin> {
  const files = new Map<string, string>()
  const headers: IncomingMessage["headers"][] = []
  let asked: string[] = []
  const answer = (req: IncomingMessage, res: ServerResponse) => {
    headers.push(req.headers)
    const name = req.url?.split("/").at(-1) ?? ""
    res.once("close", () => asked.push(`${name} ${res.statusCode}`))
    if (origin.answer !== undefined) return origin.answer(req, res)
    const text = files.get(name)
    if (text === undefined) return res.writeHead(404).end("no such file")
    const etag = `"${hash("sha256", text, "hex").slice(0, 8)}"`
    if (req.headers["if-none-match"] === etag) return res.writeHead(304, { etag }).end()
    return res
      .writeHead(200, { etag, "content-type": "application/json" })
      .end(name === origin.damage ? `~${text.slice(1)}` : text)
  }
  const server: Server =
    certificate === undefined ? createServer(answer) : createSecureServer(certificate, answer)
  await new Promise<void>((done) => server.listen(port, "127.0.0.1", done))
  const origin: TestOrigin = {
    base: new URL(
      `${certificate === undefined ? "http" : "https"}://127.0.0.1:${(server.address() as AddressInfo).port}/shop/`,
    ),
    files,
    headers,
    damage: undefined,
    answer: undefined,
    takeAsked() {
      const taken = asked
      asked = []
      return taken
    },
    stop: () =>
      new Promise((done) => {
        server.close(() => done())
        server.closeAllConnections()
      }),
  }
  return origin
}
