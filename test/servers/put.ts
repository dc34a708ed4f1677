import { hash } from "node:crypto"
import { createServer } from "node:http"

export interface PutServer {
  readonly url: string
  /** A request is answered when this resolves. */
  hold: (method: string, path: string, body: Buffer) => Promise<void> | undefined
  stop(): Promise<void>
}

/** An HTTP server that stores what is PUT, with the conditions of RFC 9110, section 13.1. */
export async function startPutServer(authorization: string): Promise<PutServer> {
  const files = new Map<
    string,
    { readonly bytes: Buffer; readonly headers: Readonly<Record<string, string>> }
  >()
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const bytes = Buffer.concat(chunks)
    const { method = "", url: path = "", headers } = request
    await put.hold(method, path, bytes)
    const etagOf = (body: Buffer) => `"${hash("sha256", body).slice(0, 16)}"`
    const file = files.get(path)
    const etag = file && etagOf(file.bytes)
    if (method !== "GET" && headers.authorization !== authorization) return void response.writeHead(401).end()
    if (method === "GET" && file === undefined) return void response.writeHead(404).end("none")
    if (method === "GET") return void response.writeHead(200, { ...file?.headers, etag }).end(file?.bytes)
    const isMet =
      (headers["if-match"] === undefined || headers["if-match"] === etag) &&
      (headers["if-none-match"] !== "*" || file === undefined)
    if (!isMet) return void response.writeHead(412).end()
    if (method === "DELETE") return void response.writeHead(files.delete(path) ? 204 : 404).end()
    const { "content-type": type = "", "cache-control": cache = "" } = headers
    files.set(path, { bytes, headers: { "content-type": type, "cache-control": cache } })
    response.writeHead(file === undefined ? 201 : 204).end()
  })
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done))
  const put: PutServer = {
    hold: () => undefined,
    url: `http://127.0.0.1:${(server.address() as { port: number }).port}`,
    async stop() {
      server.closeAllConnections()
      await new Promise((done) => server.close(done))
    },
  }
  return put
}
