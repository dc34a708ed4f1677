// @module-tag system
import { type ChildProcess, spawn } from "node:child_process"
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import type { RunningProxy } from "../../../proxy/serve.ts"
import { freePort } from "../../servers/ports.ts"
import { buildFiles, createKeySource, createMapSource, flagEntry, mintKey, shop } from "../fixtures.ts"
import { startTestProxy } from "../start-proxy.ts"

/** A real cache in front of the proxy, which keeps whatever it may and shares it with everyone. */
interface Cache {
  readonly name: string
  readonly program: string
  /** The arguments of the program, which reads a file in `folder`, listens on `port` and asks `origin`. */
  readonly setUp: (folder: string, port: number, origin: number) => readonly string[]
}

const nginx: Cache = {
  name: "nginx",
  program: "/usr/sbin/nginx",
  setUp(folder, port, origin) {
    const paths = ["client_body", "fastcgi", "uwsgi", "scgi"].map(
      (name) => `${name}_temp_path ${folder}/${name};`,
    )
    writeFileSync(
      join(folder, "nginx.conf"),
      `daemon off; master_process off; pid ${folder}/pid; events {}
      http {
        access_log off; ${paths.join(" ")} proxy_temp_path ${folder}/proxy;
        proxy_cache_path ${folder}/cache keys_zone=shared:1m use_temp_path=off;
        gzip on; gzip_types application/json; gzip_proxied any; gzip_min_length 1; gzip_comp_level 1;
        server {
          listen 127.0.0.1:${port};
          location / {
            proxy_pass http://127.0.0.1:${origin};
            proxy_http_version 1.1; proxy_set_header Connection ""; proxy_set_header Accept-Encoding "";
            proxy_set_header If-None-Match $http_if_none_match;
            proxy_cache shared; proxy_cache_valid any 10m; proxy_cache_methods GET HEAD;
            add_header x-cache $upstream_cache_status always;
          }
        }
      }`,
    )
    return ["-c", join(folder, "nginx.conf"), "-e", join(folder, "error.log")]
  },
}

const varnish = (name: string, rules: string): Cache => ({
  name,
  program: "/usr/sbin/varnishd",
  setUp(folder, port, origin) {
    writeFileSync(
      join(folder, "shared.vcl"),
      `vcl 4.1;
      backend proxy { .host = "127.0.0.1"; .port = "${origin}"; }
      ${rules}`,
    )
    return [
      "-j",
      "none",
      "-F",
      "-a",
      `127.0.0.1:${port}`,
      "-f",
      join(folder, "shared.vcl"),
      "-n",
      join(folder, "work"),
      "-s",
      "malloc,8m",
      "-p",
      "default_grace=60",
    ]
  },
})

const started: ChildProcess[] = []
const folders: string[] = []
let proxy: RunningProxy
const shopKey = mintKey({ id: "shop" })
const otherKey = mintKey({ id: "other", environment: "staging" })
const poorKey = mintKey({ id: "poor", rateLimit: { capacity: 1, refillPerSecond: 0.001 } })
const clock = { monotonic: 0 }
const files = buildFiles({ production: shop, staging: [flagEntry("only-in-staging", 9)] })

beforeAll(async () => {
  const started = await startTestProxy({
    snapshots: [createMapSource(files)],
    keys: createKeySource([shopKey.record, otherKey.record, poorKey.record]),
    clock: { now: Date.now, monotonicNow: () => clock.monotonic, random: () => 0 },
  })
  proxy = started.proxy
})
afterAll(() => {
  for (const child of started) child.kill()
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
})

async function startCache({ program, setUp }: Cache): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), "flagstone-cache-"))
  folders.push(folder)
  mkdirSync(join(folder, "work"))
  const port = await freePort()
  started.push(spawn(program, setUp(folder, port, proxy.port), { stdio: "ignore" }))
  const url = `http://127.0.0.1:${port}`
  for (let tries = 0; tries < 400; tries++) {
    const answer = await fetch(`${url}/livez`).catch(() => undefined)
    if (answer?.ok) return url
    await new Promise((done) => setTimeout(done, 25))
  }
  throw new Error(`${program} does not answer`)
}

const caches = [
  nginx,
  varnish("Varnish", ""),
  // The built-in rules bypass the cache for requests with Authorization. Here they are looked up like any other.
  varnish(
    "Varnish that shares all it may",
    'sub vcl_recv { if (req.method == "GET" || req.method == "HEAD") { return (hash); } }',
  ),
]

describe.each(caches)("behind $name with caching on", (cache) => {
  const isThere = existsSync(cache.program)
  if (!isThere) console.warn(`SKIPPED: shared caches, because ${cache.program} is not installed`)
  let url = ""
  beforeAll(async () => {
    if (isThere) url = await startCache(cache)
  }, 30_000)

  const get = (path: string, secret?: string, headers: Record<string, string> = {}) =>
    fetch(url + path, { headers: { ...(secret && { authorization: `Bearer ${secret}` }), ...headers } })

  test.skipIf(!isThere)(
    "each key gets its own environment, however often and in whatever order it asks",
    async () => {
      for (const encoding of ["identity", "gzip", "br, gzip"]) {
        for (const path of ["/v1/flags", "/v1/flags/dark.mode", "/v1/flags/only-in-staging"]) {
          for (const round of [1, 2, 3]) {
            clock.monotonic += 10_000
            const [a, b, stranger, guess] = await Promise.all([
              get(path, shopKey.secret, { "accept-encoding": encoding }),
              get(path, otherKey.secret, { "accept-encoding": encoding }),
              get(path, undefined, { "accept-encoding": encoding }),
              get(path, mintKey().secret, { "accept-encoding": encoding }),
            ])
            const [textA, textB] = [await a.text(), await b.text()]
            expect({ round, status: [stranger.status, guess.status] }).toEqual({ round, status: [401, 401] })
            expect(await stranger.text()).toBe('{"error":"Unauthorized"}')
            expect(textA).not.toContain("only-in-staging")
            expect(textB).not.toContain("dark.mode")
            if (path === "/v1/flags") {
              expect(textA).toBe(files.get("production.json"))
              expect(textB).toBe(files.get("staging.json"))
            } else expect([a.status, b.status]).toEqual(path.endsWith("dark.mode") ? [200, 404] : [404, 200])
          }
        }
      }
    },
  )

  test.skipIf(!isThere)("304s work, even with tags that were weakened on the way", async () => {
    clock.monotonic += 10_000
    const first = await get("/v1/flags", shopKey.secret, { "accept-encoding": "gzip" })
    await first.text()
    const etag = first.headers.get("etag") ?? ""
    if (cache.name === "nginx") expect(etag).toMatch(/^W\/"/) // it compressed the document itself
    expect(etag).not.toBe("")
    for (const tag of [etag, `W/${etag.replace(/^W\//, "")}`, `"other", ${etag}`]) {
      const again = await get("/v1/flags", shopKey.secret, {
        "accept-encoding": "gzip",
        "if-none-match": tag,
      })
      const body = await again.text()
      // Varnish compares the tags itself on a look-up, and does not pass them on if it then has to fetch.
      if (cache.name === "Varnish that shares all it may" && again.status === 200)
        expect(body).toBe(files.get("production.json"))
      else expect([again.status, body]).toEqual([304, ""])
    }
    const other = await get("/v1/flags", otherKey.secret, {
      "accept-encoding": "gzip",
      "if-none-match": etag,
    })
    expect(other.status).toBe(200)
    const stranger = await get("/v1/flags", undefined, { "accept-encoding": "gzip", "if-none-match": etag })
    expect(stranger.status).toBe(401)
  })

  test.skipIf(!isThere)("errors are not kept", async () => {
    clock.monotonic += 10_000_000
    expect((await get("/v1/flags", poorKey.secret)).status).toBe(200)
    expect((await get("/v1/flags", poorKey.secret)).status).toBe(429)
    expect((await get("/v1/flags", shopKey.secret)).status).toBe(200)
    clock.monotonic += 10_000_000
    expect((await get("/v1/flags", poorKey.secret)).status).toBe(200)
    expect((await get("/v1/flags/z-new", shopKey.secret)).status).toBe(404)
    for (const [file, text] of buildFiles({
      production: [...shop, flagEntry("z-new")],
      staging: [flagEntry("only-in-staging", 9)],
    }))
      files.set(file, text)
    await proxy.reload()
    clock.monotonic += 10_000
    expect((await get("/v1/flags/z-new", shopKey.secret)).status).toBe(200)
    for (const [file, text] of buildFiles({ production: shop, staging: [flagEntry("only-in-staging", 9)] }))
      files.set(file, text)
    await proxy.reload()
    expect((await get("/v1/flags/z-new", shopKey.secret)).status).toBe(404)
  })
})
