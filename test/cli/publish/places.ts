import { mkdtempSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { openTarget } from "../../../cli/publish/open-target.ts"
import type { PublishTarget } from "../../../cli/publish/target.ts"
import type { TestPlace } from "../../contracts/publish-target.ts"
import { createMemoryTarget } from "../../servers/memory-target.ts"
import { hasNginx, startNginx } from "../../servers/nginx.ts"
import { startPutServer } from "../../servers/put.ts"
import { startS3 } from "../../servers/s3.ts"
import { testHost } from "../../test-host.ts"

/** A kind of place to publish to. */
export interface Kind {
  readonly kind: string
  readonly start: () => Promise<TestPlace>
  /** Whether there is only one place of this kind, without places below. */
  readonly isSingle?: boolean
}

/** Opens what a user names, without pauses between tries. */
export function open(name: string, env: Readonly<Record<string, string>> = {}): PublishTarget {
  return openTarget(name, { host: testHost({ env, now: Date.now }), sleep: async () => undefined })
}

/** What a reader without credentials gets. */
export async function get(url: string) {
  const response = await fetch(url)
  const bytes = Buffer.from(await response.arrayBuffer())
  return { status: response.status, bytes, headers: response.headers }
}

const folder: Kind = {
  kind: "a folder",
  async start() {
    const name = join(mkdtempSync(join(tmpdir(), "flagstone-")), "deep", "flags")
    return {
      open: (below = "") => open(join(name, below)),
      isConditional: true,
      get: async () => undefined,
      stop: async () => {},
    }
  },
}

const s3 = (isConditional: boolean): Kind => ({
  kind: isConditional ? "an S3-compatible store" : "an S3-compatible store without conditional writes",
  async start() {
    const store = await startS3(["flags"], isConditional)
    return {
      open: (below = "") => open(`s3://flags/a.b/shop${below}`, store.env),
      isConditional,
      get: (path) => get(`${store.url}/flags/a.b/shop/${path}`),
      stop: () => store.stop(),
    }
  },
})

const http: Kind = {
  kind: "an HTTP server with conditional writes",
  async start() {
    const server = await startPutServer("Bearer ci")
    return {
      open: (below = "") =>
        open(`${server.url}/shop${below}/`, { FLAGSTONE_PUBLISH_AUTHORIZATION: "Bearer ci" }),
      isConditional: true,
      get: (path) => get(`${server.url}/shop/${path}`),
      stop: () => server.stop(),
    }
  },
}

const nginx: Kind = {
  kind: "nginx with its DAV module",
  isSingle: true, // docs/nginx.conf has the API's paths at the top
  async start() {
    const server = await startNginx()
    const env = { FLAGSTONE_PUBLISH_AUTHORIZATION: server.authorization }
    return {
      open: () => open(server.publishUrl, env),
      isConditional: false,
      get: (path) => get(`${server.url}/${path}`),
      stop: () => server.stop(),
    }
  },
}

const memory = (isConditional: boolean): Kind => ({
  kind: isConditional ? "a store in memory" : "a store in memory that ignores conditions",
  async start() {
    const places = new Map<string, Map<string, Buffer>>()
    return {
      open(below = "") {
        const files = places.get(below) ?? new Map<string, Buffer>()
        places.set(below, files)
        return createMemoryTarget(files, isConditional)
      },
      isConditional,
      get: async () => undefined,
      stop: async () => {},
    }
  },
})

if (!hasNginx) console.warn("SKIPPED: publishing by PUT to nginx, because nginx is not installed")

/** Every kind that needs only what npm installs, and nginx if it is installed. */
export const kinds: readonly Kind[] = [
  memory(true),
  memory(false),
  folder,
  s3(true),
  s3(false),
  http,
  ...(hasNginx ? [nginx] : []),
]
