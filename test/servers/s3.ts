import { hash } from "node:crypto"
import { mkdtempSync } from "node:fs"
import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http"
import { createRequire } from "node:module"
import { tmpdir } from "node:os"
import { join } from "node:path"

/** Intercepts requests between a publisher and the store; `undefined`: nothing does. */
export type Interference =
  | number
  | { readonly status: number; readonly body: string; readonly headers?: Readonly<Record<string, string>> }
  | undefined

/** An S3-compatible server that checks signatures. */
export interface TestS3 {
  /** The variables with which a publisher finds it and may write to it. */
  readonly env: Readonly<Record<string, string>>
  readonly url: string
  /** Method, path and headers of every request so far. */
  readonly requests: readonly {
    readonly method: string
    readonly path: string
    readonly headers: IncomingMessage["headers"]
  }[]
  /** Is called before each request, and answers it instead of the store if it returns a status or a whole answer. */
  interfere: (
    method: string,
    path: string,
    headers: IncomingMessage["headers"],
  ) => Interference | Promise<Interference>
  stop(): Promise<void>
}

interface StoreAnswer {
  readonly status: number
  readonly headers: IncomingMessage["headers"]
  readonly body: Buffer
}

/** What keeps the objects. */
interface Store {
  ask(
    method: string,
    path: string,
    headers: IncomingMessage["headers"],
    body: Buffer,
  ): Promise<StoreAnswer> | StoreAnswer
  close(): Promise<void>
}

/** s3rver in the fork that checks signatures of version 4. A request takes about 10 ms of CPU. */
async function startS3rver(buckets: readonly string[], directory: string): Promise<Store> {
  // It has no types, and takes half a second to load.
  const S3rver = createRequire(import.meta.url)("@20minutes/s3rver") as new (
    options: object,
  ) => { run(): Promise<{ readonly port: number }>; close(): Promise<void> }
  const store = new S3rver({
    address: "127.0.0.1",
    port: 0,
    silent: true,
    directory,
    configureBuckets: buckets.map((name) => ({ name, configs: [] })),
  })
  const { port } = await store.run()
  return {
    ask: (method, path, headers, body) =>
      new Promise((done, failed) => {
        const call = request(
          { host: "127.0.0.1", port, method, path, headers: { ...headers, connection: "close" } },
          async (answer) => {
            const chunks: Buffer[] = []
            for await (const chunk of answer) chunks.push(chunk)
            done({ status: answer.statusCode ?? 0, headers: answer.headers, body: Buffer.concat(chunks) })
          },
        )
        call.on("error", failed).end(body)
      }),
    close: () => store.close(),
  }
}

/** Objects in memory, without access control. */
function createStore(): Store {
  const objects = new Map<string, Pick<StoreAnswer, "headers" | "body">>()
  const nothing = Buffer.alloc(0)
  return {
    ask(method, path, headers, body) {
      const name = decodeURIComponent(path)
      if (method === "PUT") {
        const { "content-type": type = "binary/octet-stream", "cache-control": cache } = headers
        const etag = `"${hash("md5", body)}"`
        const kept = { "content-type": type, ...(cache && { "cache-control": cache }), etag }
        objects.set(name, { headers: kept, body })
        return { status: 200, headers: { etag }, body: nothing }
      }
      if (method === "DELETE") objects.delete(name)
      if (method === "DELETE") return { status: 204, headers: {}, body: nothing }
      const found = objects.get(name)
      return found === undefined
        ? { status: 404, headers: {}, body: Buffer.from("<Error><Code>NoSuchKey</Code></Error>") }
        : { status: 200, ...found }
    },
    close: async () => undefined,
  }
}

/** What a test may choose. */
export interface S3Options {
  /** For tests of the store's answers, not its signatures: a publication takes a tenth of the time. */
  readonly checksSignatures?: boolean
  /** Whether it refuses requests without a signature, as Amazon does; by default anyone may read. */
  readonly isPrivate?: boolean
  /** The folder of signed objects; a new one by default. */
  readonly directory?: string
  /** A free one by default. */
  readonly port?: number
}

/**
 * A store behind a server that checks every body's signed digest and Content-MD5, and with `conditional` also implements
 * If-Match and If-None-Match as Amazon documents them. s3rver considers If-Modified-Since beside If-None-Match, which RFC 9110,
 * 13.1.3, forbids.
 */
export async function startS3(
  buckets: readonly string[],
  conditional: boolean,
  { checksSignatures = true, isPrivate = false, directory, port = 0 }: S3Options = {},
): Promise<TestS3> {
  const store = checksSignatures
    ? await startS3rver(buckets, directory ?? mkdtempSync(join(tmpdir(), "flagstone-s3-")))
    : createStore()
  const requests: { method: string; path: string; headers: IncomingMessage["headers"] }[] = []
  const turns = new Map<string, Promise<unknown>>()

  async function answer(message: IncomingMessage, response: ServerResponse, body: Buffer): Promise<void> {
    const { method = "", url: path = "", headers } = message
    const refuse = (status: number, code: string) =>
      response
        .writeHead(status, { "content-type": "application/xml" })
        .end(`<Error><Code>${code}</Code></Error>`)
    if (isPrivate && headers.authorization === undefined) {
      response.setHeader("x-amz-request-id", "7")
      return void refuse(403, "AccessDenied")
    }
    const digest = headers["x-amz-content-sha256"] // anonymous readers send none
    if (digest !== undefined && hash("sha256", body) !== digest)
      return void refuse(400, "XAmzContentSHA256Mismatch")
    if (method === "PUT" && hash("md5", body, "base64") !== headers["content-md5"])
      return void refuse(400, "BadDigest")
    if (conditional && method === "PUT") {
      const { etag } = (await store.ask("HEAD", path, { host: "127.0.0.1" }, Buffer.alloc(0))).headers
      if (headers["if-none-match"] === "*" && etag !== undefined)
        return void refuse(412, "PreconditionFailed")
      if (headers["if-match"] !== undefined && headers["if-match"] !== etag)
        return void refuse(412, "PreconditionFailed")
    }
    const stored = await store.ask(method, path, headers, body)
    response.writeHead(stored.status, stored.headers).end(stored.body)
  }

  const server = createServer(async (message, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of message) chunks.push(chunk)
    const { method = "", url: path = "", headers } = message
    requests.push({ method, path, headers })
    const given = await s3.interfere(method, path, headers)
    const {
      status,
      body,
      headers: more = {},
    } = typeof given === "object"
      ? { headers: {}, ...given }
      : { status: given, body: "<Error><Code>Interference</Code></Error>" }
    if (status !== undefined) return void response.writeHead(status, more).end(body)
    const before = turns.get(path) ?? Promise.resolve()
    const turn = before.then(() => answer(message, response, Buffer.concat(chunks)))
    turns.set(
      path,
      turn.catch(() => response.destroy()),
    )
  })
  await new Promise<void>((done, failed) => {
    server.once("error", failed).listen(port, "127.0.0.1", done)
  })
  const url = `http://127.0.0.1:${(server.address() as { port: number }).port}`
  const s3: TestS3 = {
    url,
    env: {
      AWS_ENDPOINT_URL_S3: url,
      AWS_REGION: "eu-central-1",
      AWS_ACCESS_KEY_ID: "S3RVER",
      AWS_SECRET_ACCESS_KEY: "S3RVER",
    },
    requests,
    interfere: () => undefined,
    async stop() {
      server.closeAllConnections()
      await new Promise((done) => server.close(done))
      await store.close()
    },
  }
  return s3
}
