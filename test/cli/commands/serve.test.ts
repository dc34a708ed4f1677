// @module-tag system
import { hash } from "node:crypto"
import { existsSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, describe, expect, onTestFinished, test } from "vitest"
import { createSigningKeys } from "../../../cli/keys/create-signing-keys.ts"
import { run } from "../../../cli/program.ts"
import { openTarget } from "../../../cli/publish/open-target.ts"
import { parsePrivateKey, signBytes } from "../../../proxy/contract/signature.ts"
import { createSnapshotCache } from "../../../proxy/snapshots/snapshot-cache.ts"
import { buildFiles, mintKey, readFiles, shop } from "../../proxy/fixtures.ts"
import { startOrigin, type TestOrigin } from "../../proxy/origin.ts"
import { freePort } from "../../servers/ports.ts"
import { hasRedis, startRedis } from "../../servers/redis.ts"
import { startS3, type TestS3 } from "../../servers/s3.ts"
import { testHost } from "../../test-host.ts"

const origins: TestOrigin[] = []
afterAll(() => Promise.all(origins.map((origin) => origin.stop())))

function folder(files = buildFiles({ production: shop })): string {
  const path = mkdtempSync(join(tmpdir(), "flagstone-serve-"))
  const { record } = mintKey()
  for (const [file, text] of files) writeFileSync(join(path, file), text)
  writeFileSync(
    join(path, "keys.yaml"),
    `keys:\n  - {id: web, environment: production, digest: "sha256:${record.digest}", createdAt: 2026-11-21T10:00:00.000Z}\n`,
  )
  return path
}

async function flagstone(args: readonly string[], cwd: string, env = {}) {
  const host = testHost({ cwd, env, now: Date.now })
  const status = await run(["serve", ...args], host, "1.2.3")
  return { status, out: host.out(), err: host.err() }
}

describe("serve --check", () => {
  test("says what would be served", async () => {
    expect(await flagstone(["--check", "--snapshots", "."], folder())).toEqual({
      status: 0,
      out: expect.stringMatching(/^shop\/production: 4 flags of no commit\n.*keys\.yaml: 1 key\n$/),
      err: "",
    })
  })

  test("prints no control character and no line of a manifest, which a stranger may have written", async () => {
    const cwd = folder()
    const manifest = JSON.parse(readFileSync(join(cwd, "manifest.json"), "utf8"))
    const changed = { ...manifest, project: "shop\n::error::a", revision: "\u001b[2K\u202eb" }
    writeFileSync(join(cwd, "manifest.json"), JSON.stringify(changed))
    const { status, out } = await flagstone(["--check", "--snapshots", "."], cwd)
    expect([status, out.split("\n")[0]]).toEqual([
      0,
      "shop\\u000a::error::a/production: 4 flags of \\u001b[2K\\u202eb",
    ])
  })

  test("warns of a glob that matches no flag, and still serves", async () => {
    const cwd = folder()
    writeFileSync(
      join(cwd, "keys.yaml"),
      `keys:\n  - {id: page, environment: production, for: evaluate, flags: [dark.*, web/**], digest: "sha256:${"a".repeat(64)}", createdAt: 2026-11-21T10:00:00.000Z}\n`,
    )
    expect(await flagstone(["--check", "--snapshots", "."], cwd)).toMatchObject({
      status: 0,
      err: "warning: key page: no flag in production matches web/**\n",
    })
  })

  test("compiles the flags, too, if they are to be evaluated", async () => {
    expect(await flagstone(["--check", "--ofrep", "--snapshots", "."], folder())).toMatchObject({
      status: 0,
      err: "",
    })
  })

  test("refuses a clock without evaluations, which would change nothing", async () => {
    expect(await flagstone(["--clock-attribute", "now", "--snapshots", "."], folder())).toMatchObject({
      status: 2,
      err: expect.stringContaining("--clock-attribute needs --ofrep"),
    })
  })

  describe.each([
    ["--evaluate-rate-limit", "9/9", "--ofrep", { FLAGSTONE_OFREP: "1" }],
    ["--rate-limit-wait", "9ms", "--rate-limit-store", {}],
    ["--rate-limit-proxies", "3", "--rate-limit-store", {}],
    ["--admin-host", "127.0.0.1", "--admin-port", { FLAGSTONE_ADMIN_PORT: "9090" }],
    [
      "--cache-dir",
      "cache",
      "a URL as --snapshots or --keys",
      { FLAGSTONE_SNAPSHOTS: "http://127.0.0.1:9/" },
    ],
  ])("%s", (option, value, needed, enough: Readonly<Record<string, string>>) => {
    const check = (args: readonly string[], env: Readonly<Record<string, string>>) =>
      flagstone(["--check", ...args], folder(), { FLAGSTONE_SNAPSHOTS: ".", ...env })
    const refusal = `flagstone: ${option} needs ${needed}`

    test("is refused where it would change nothing", async () => {
      expect(await check([option, value], {})).toMatchObject({
        status: 2,
        out: "",
        err: expect.stringContaining(refusal),
      })
    })

    test("may be a default of the machine or the image, and goes with what it needs, wherever that is given", async () => {
      const variable = `FLAGSTONE${option.slice(1).toUpperCase().replaceAll("-", "_")}`
      expect(await check([], { [variable]: value })).toMatchObject({ status: 0, err: "" })
      if (needed === "--rate-limit-store") return // several-proxies.test.ts has one
      expect((await check([option, value], enough)).err).not.toContain("needs")
    })
  })

  test("says what is wrong, with status 1", async () => {
    const cwd = folder(buildFiles({ staging: shop }))
    expect(await flagstone(["--check", "--snapshots", "."], cwd)).toMatchObject({
      status: 1,
      err: "no snapshot for production, which a key names\n",
    })
    const { status, out, err } = await flagstone(["--check", "--keys", "gone.yaml"], cwd)
    expect({ status, out }).toEqual({ status: 1, out: "" })
    expect(err.replaceAll(cwd, "/p")).toMatch(
      /^there is no \/p\/dist\/manifest\.json: run `flagstone build`.*\nthere is no \/p\/gone\.yaml: .*\n$/,
    )
  })

  test("reads an address, with its authorization, and the cache for the day when it is down", async () => {
    const origin = await startOrigin()
    origins.push(origin)
    for (const [file, text] of buildFiles({ production: shop })) origin.files.set(file, text)
    const cwd = folder()
    const address = origin.base.href.slice(0, -1)
    const args = ["--check", "--snapshots", address, "--cache-dir", "cache"]
    const env = { FLAGSTONE_SNAPSHOTS_AUTHORIZATION: "Bearer hush" }
    origin.answer = (_, res) => res.writeHead(503).end()
    expect((await flagstone(args, cwd, env)).err).toMatch(
      /503; the cache .* does not help: nothing was cached yet\n$/,
    )
    origin.answer = undefined
    expect(await flagstone(args, cwd, env)).toMatchObject({
      status: 0,
      out: expect.stringMatching("shop/production"),
    })
    expect(origin.headers[0]?.authorization).toBe("Bearer hush")
    expect(existsSync(join(cwd, "cache"))).toBe(false) // it only looks, and root's files would lock the proxy out
    const cache = createSnapshotCache(join(cwd, "cache", hash("sha256", origin.base.href).slice(0, 16)))
    await cache.write(await readFiles(origin.files))
    await origin.stop()
    const { status, out, err } = await flagstone(args, cwd, env)
    expect({ status, err }).toEqual({
      status: 1,
      err: expect.stringMatching(/ECONNREFUSED\); the cache is used instead\n$/),
    })
    expect(out).toMatch("shop/production")
    expect(err).not.toMatch("hush")
  })

  test("takes several places, as an option and as a variable", async () => {
    const toys = new Map(
      [...buildFiles({ production: [] })].map(([file, text]) => [file, text.replace('"shop"', '"toys"')]),
    )
    const [one, two] = [folder(), folder(toys)]
    expect((await flagstone(["--check", "--snapshots", one, "--snapshots", two], one)).out).toMatch(
      /shop\/production.*\ntoys\/production/,
    )
    expect((await flagstone(["--check"], one, { FLAGSTONE_SNAPSHOTS: `${one},${two}` })).out).toMatch(
      /toys\/production/,
    )
  })
})

describe("a private bucket", () => {
  async function publish(): Promise<TestS3> {
    const store = await startS3(["flags"], true, { isPrivate: true })
    onTestFinished(() => store.stop())
    const host = testHost({ env: store.env, now: Date.now })
    const target = openTarget("s3://flags/shop", { host, sleep: async () => undefined })
    const keys: [string, string] = ["keys.yaml", readFileSync(join(folder(), "keys.yaml"), "utf8")]
    for (const [path, text] of [...buildFiles({ production: shop }), keys])
      await target.write({
        path,
        bytes: Buffer.from(text),
        contentType: "text/plain",
        cacheControl: "no-cache",
      })
    await target.close()
    return store
  }
  const inBucket = ["--snapshots", "s3://flags/shop", "--keys", "s3://flags/shop/keys.yaml"]

  test("is read with the variables of publish", async () => {
    const store = await publish()
    const { status, out, err } = await flagstone(["--check", ...inBucket], folder(), store.env)
    expect({ status, err }).toEqual({ status: 0, err: "" })
    expect(out).toContain(`${store.url}/flags/shop/keys.yaml: 1 key\n`)
    const asked = store.requests.filter(({ method }) => method === "GET")
    expect(asked.map(({ path }) => path)).toContain("/flags/shop/production.json")
    for (const { headers } of asked) expect(headers.authorization).toMatch(/^AWS4-HMAC-SHA256 /)
  })

  test.each([
    ["without the variables", {}, "s3:// needs AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY; set both", 2],
    [
      "with a wrong secret",
      { AWS_SECRET_ACCESS_KEY: "hush" },
      "returned 403 SignatureDoesNotMatch: AWS_SECRET_ACCESS_KEY is probably not the secret of AWS_ACCESS_KEY_ID",
      1,
    ],
  ])("%s is refused, with the reason", async (_, changes, message, expected) => {
    const store = await publish()
    const env = Object.keys(changes).length === 0 ? {} : { ...store.env, ...changes }
    const { status, err } = await flagstone(["--check", ...inBucket], folder(), env)
    expect(status).toBe(expected)
    expect(err).toContain(message)
    expect(err).not.toContain("hush")
  })

  test("by its https address is refused, with the page that says what to do", async () => {
    const store = await publish()
    const { err } = await flagstone(["--check", "--snapshots", `${store.url}/flags/shop/`], folder())
    expect(err).toContain('docs/operating.md, "A private bucket"')
  })

  test("gets no Authorization that is meant for a server", async () => {
    const store = await publish()
    const origin = await startOrigin()
    origins.push(origin)
    for (const [file, text] of buildFiles({ production: [] }))
      origin.files.set(file, text.replace('"shop"', '"toys"'))
    const env = { ...store.env, FLAGSTONE_SNAPSHOTS_AUTHORIZATION: "Bearer of-news" }
    const args = ["--check", ...inBucket, "--snapshots", origin.base.href]
    expect((await flagstone(args, folder(), env)).out).toContain("toys/production")
    expect(origin.headers.map(({ authorization }) => authorization)).toContain("Bearer of-news")
    for (const { headers } of store.requests) expect(headers.authorization).not.toContain("of-news")
  })
})

describe("keys from an address", () => {
  const pair = createSigningKeys()
  const privateKey = parsePrivateKey(pair.privateKey)
  if (privateKey.kind === "invalid") throw new Error(privateKey.reason)

  async function openOrigin(): Promise<TestOrigin> {
    const origin = await startOrigin()
    origins.push(origin)
    for (const [file, text] of buildFiles({ production: shop })) origin.files.set(file, text)
    origin.files.set("keys.yaml", readFileSync(join(folder(), "keys.yaml"), "utf8"))
    return origin
  }
  const keysOf = ({ base }: TestOrigin) => new URL("keys.yaml", base).href

  test.each([
    ["http://flags.example/keys.yaml", "use https://, or --verify-key with the public half"],
    ["http://127.0.0.1.flags.example/keys.yaml", "use https://, or --verify-key"],
    ["http://[::2]/keys.yaml", "use https://, or --verify-key"],
    ["https://flags.example/shop/", "add the file's name: https://flags.example/shop/keys.yaml"],
    ["https://ann:hush@flags.example/keys.yaml", "in FLAGSTONE_SNAPSHOTS_AUTHORIZATION instead"],
    ["https://flags.example/keys.yaml?token=hush", "and everything after it"],
    ["https://", "not a URL"],
    ["gs://flags/keys.yaml", "s3://… or https://…, not gs://…"],
  ])("%s is refused, with the fix and no secret", async (address, fix) => {
    for (const args of [["--check"], []]) {
      const { status, err } = await flagstone([...args, "--snapshots", ".", "--keys", address], folder())
      expect({ status, err }).toEqual({ status: 2, err: expect.stringContaining(`--keys: `) })
      expect(err).toContain(fix)
      expect(err).not.toMatch("hush")
    }
  })

  test("are read, with the server's authorization, and written nowhere by a check", async () => {
    const origin = await openOrigin()
    const cwd = folder()
    const env = { FLAGSTONE_SNAPSHOTS_AUTHORIZATION: "Bearer hush" }
    const args = [
      "--check",
      "--snapshots",
      origin.base.href,
      "--keys",
      keysOf(origin),
      "--cache-dir",
      "cache",
    ]
    const { status, out, err } = await flagstone(args, cwd, env)
    expect({ status, err }).toEqual({ status: 0, err: "" })
    expect(out).toContain(`${keysOf(origin)}: 1 key\n`)
    for (const headers of origin.headers) expect(headers.authorization).toBe("Bearer hush")
    expect(existsSync(join(cwd, "cache"))).toBe(false)
  })

  test("get one server's authorization, and never another's", async () => {
    const [one, other] = [await openOrigin(), await openOrigin()]
    const env = { FLAGSTONE_SNAPSHOTS_AUTHORIZATION: "Bearer hush" }
    const args = ["--check", "--snapshots", one.base.href, "--keys", keysOf(other)]
    const { status, err } = await flagstone(args, folder(), env)
    expect({ status, err }).toEqual({
      status: 2,
      err: expect.stringContaining("would be sent to several servers"),
    })
    expect(other.headers).toEqual([])
    expect((await flagstone(args, folder())).status).toBe(0)
  })

  test("must be signed with --verify-key, unlike those of a file", async () => {
    const origin = await openOrigin()
    const sign = (file: string) =>
      origin.files.set(`${file}.sig`, signBytes(Buffer.from(origin.files.get(file) ?? ""), privateKey.value))
    sign("manifest.json")
    const args = ["--check", "--snapshots", origin.base.href, "--verify-key", pair.publicKey, "--keys"]
    expect(await flagstone([...args, keysOf(origin)], folder())).toMatchObject({
      status: 1,
      err: expect.stringMatching(/keys\.yaml\.sig: returned 404; publish it with FLAGSTONE_SIGNING_KEY/),
    })
    expect((await flagstone([...args, "keys.yaml"], folder())).status).toBe(0)
    origin.files.set("keys.yaml", `publishedAt: 2026-11-21T10:00:00Z\n${origin.files.get("keys.yaml")}`)
    sign("keys.yaml")
    expect(await flagstone([...args, keysOf(origin)], folder())).toMatchObject({ status: 0, err: "" })
  })
})

test.each([
  ["https://shop.example,http://localhost:3000, loopback,capacitor://localhost,*", 0],
  ["https://shop.example/", 2],
  ["https://Shop.example", 2],
  ["https://shop.example:443", 2],
  ["shop.example", 2],
  ["https://shop.example,null", 2],
])("--cors-origin %s ends a check with %i", async (origins, expected) => {
  const { status, err } = await flagstone(["--check", "--snapshots", ".", "--cors-origin", origins], folder())
  expect(status).toBe(expected)
  expect(err).toMatch(expected === 0 ? /^$/ : /Write each origin as browsers send it, such as https:/)
})

describe("a store for limits", () => {
  const asked = "--rate-limit-store"
  test.each([
    ["a different protocol", "http://:hush@redis.example"],
    ["percent signs that stand for nothing", "redis://:hush%zz@redis.example"],
  ])("%s is refused by name and not repeated, by option and by variable", async (_, address) => {
    for (const [args, env] of [
      [["--check", "--snapshots", ".", asked, address], {}],
      [["--snapshots", "."], { FLAGSTONE_RATE_LIMIT_STORE: address }],
    ] as const) {
      const { status, out, err } = await flagstone(args, folder(), env)
      expect({ status, out }).toEqual({ status: 2, out: "" })
      expect(err).toMatch(/^flagstone: --rate-limit-store: not a URL; write redis:\/\//)
      expect(err).not.toMatch("hush")
    }
  })

  test.each(["0ms", "501ms", "1m", "25"])("no request may wait %s for it", async (wait) => {
    const { status, err } = await flagstone(["--check", "--rate-limit-wait", wait], folder())
    expect({ status, err }).toEqual({
      status: 2,
      err: expect.stringMatching(/Write (1ms to 500ms|a duration)/),
    })
  })

  test.each(["0", "-1", "two"])("%s proxies share nothing", async (count) => {
    const { status, err } = await flagstone(["--check", "--rate-limit-proxies", count], folder())
    expect({ status, err }).toEqual({
      status: 2,
      err: expect.stringMatching(/Write (1 or more|a whole number)/),
    })
  })

  test("--check says that no one answers there, without the address's credentials", async () => {
    const port = await freePort()
    const address = `redis://ann:hush@127.0.0.1:${port}/2`
    const { status, out, err } = await flagstone(["--check", "--snapshots", "."], folder(), {
      FLAGSTONE_RATE_LIMIT_STORE: address,
    })
    expect({ status, err }).toEqual({
      status: 1,
      err: `redis://127.0.0.1:${port}/2: connect ECONNREFUSED 127.0.0.1:${port}; limits would not be shared\n`,
    })
    expect(out).toMatch("shop/production: 4 flags")
  })

  test.skipIf(!hasRedis)("--check is content with one that answers", async () => {
    const redis = await startRedis()
    onTestFinished(() => redis.stop())
    const args = ["--check", "--snapshots", ".", asked, redis.url]
    expect(await flagstone(args, folder())).toMatchObject({ status: 0, err: "" })
  })
})

test.each([
  [
    "a password in an address",
    ["--snapshots", "https://ann:hush@flags.example/"],
    {},
    "FLAGSTONE_SNAPSHOTS_AUTHORIZATION",
  ],
  ["a query", ["--snapshots", "https://flags.example/?sig=hush"], {}, "and everything after it"],
  ["no address", ["--snapshots", "https://"], {}, "not a URL"],
  [
    "an address of another kind",
    ["--snapshots", "gs://hush/shop"],
    {},
    "--snapshots: write a path, s3://… or https://…, not gs://…",
  ],
  [
    "an authorization of two lines",
    ["--snapshots", "."],
    { FLAGSTONE_SNAPSHOTS_AUTHORIZATION: "hush\nX: y" },
    "on one line",
  ],
  ["a short secret", ["--snapshots", "."], { FLAGSTONE_EVENTS_SECRET: "hush" }, "at least 32 characters"],
  [
    "an authorization for several servers",
    ["--snapshots", "https://a.example", "--snapshots", "https://b.example"],
    { FLAGSTONE_SNAPSHOTS_AUTHORIZATION: "hush" },
    "would be sent to several servers",
  ],
])("%s is refused by name and not repeated", async (_, args, env, fix) => {
  const { status, err } = await flagstone(["--check", ...args], folder(), env)
  expect({ status, err }).toEqual({ status: 2, err: expect.stringContaining(fix) })
  expect(err).not.toMatch("hush")
})
