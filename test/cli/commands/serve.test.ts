import { hash } from "node:crypto"
import { existsSync, mkdtempSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, describe, expect, onTestFinished, test } from "vitest"
import { run } from "../../../cli/program.ts"
import { createSnapshotCache } from "../../../proxy/snapshots/snapshot-cache.ts"
import { buildFiles, mintKey, readFiles, shop } from "../../proxy/fixtures.ts"
import { startOrigin, type TestOrigin } from "../../proxy/origin.ts"
import { freePort } from "../../servers/ports.ts"
import { hasRedis, startRedis } from "../../servers/redis.ts"
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
  const host = testHost({ cwd, env })
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

  test("compiles the flags, too, where they are to be evaluated", async () => {
    expect(await flagstone(["--check", "--ofrep", "--snapshots", "."], folder())).toMatchObject({
      status: 0,
      err: "",
    })
  })

  test("says what is wrong, with status 1", async () => {
    const cwd = folder(buildFiles({ staging: shop }))
    expect(await flagstone(["--check", "--snapshots", "."], cwd)).toMatchObject({
      status: 1,
      err: "no snapshot for production, which a key names\n",
    })
    expect(await flagstone(["--check"], cwd)).toMatchObject({
      status: 1,
      out: "",
      err: expect.stringMatching("flagstone build"),
    })
  })

  test("reads an address, with what is to be sent along, and what is kept for the day when it is down", async () => {
    const origin = await startOrigin()
    origins.push(origin)
    for (const [file, text] of buildFiles({ production: shop })) origin.files.set(file, text)
    const cwd = folder()
    const address = origin.base.href.slice(0, -1)
    const args = ["--check", "--snapshots", address, "--cache-dir", "cache"]
    const env = { FLAGSTONE_SNAPSHOTS_AUTHORIZATION: "Bearer hush" }
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
      err: expect.stringMatching(/ECONNREFUSED\); the cache has an older set\n$/),
    })
    expect(out).toMatch("shop/production")
    expect(err).not.toMatch("hush")
  })

  test("takes several places, by option and by variable", async () => {
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

describe("a store for limits", () => {
  const asked = "--rate-limit-store"
  test.each([
    ["a host alone", "hush"],
    ["another protocol", "http://:hush@redis.example"],
    ["a database that is none", "redis://:hush@redis.example/first"],
    ["a path in a host's place", "unix://:hush@run/redis.sock"],
    ["a port that is none", "redis://:hush@redis.example:70000"],
    ["percent signs that stand for nothing", "redis://:hush%zz@redis.example"],
  ])("%s is refused by name and not repeated, by option and by variable", async (_, address) => {
    for (const [args, env] of [
      [["--check", "--snapshots", ".", asked, address], {}],
      [["--snapshots", "."], { FLAGSTONE_RATE_LIMIT_STORE: address }],
    ] as const) {
      const { status, out, err } = await flagstone(args, folder(), env)
      expect({ status, out }).toEqual({ status: 2, out: "" })
      expect(err).toMatch(/^flagstone: --rate-limit-store: this is not an address; write redis:\/\//)
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

  test("--check says that nobody answers there, without what the address asks for", async () => {
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
    expect(await redis.command("ZCARD", "flagstone:proxies")).toBe(0)
  })
})

test.each([
  [
    "a password in an address",
    ["--snapshots", "https://ann:hush@flags.example/"],
    {},
    "FLAGSTONE_SNAPSHOTS_AUTHORIZATION",
  ],
  ["a query", ["--snapshots", "https://flags.example/?sig=hush"], {}, "without what follows"],
  ["no address", ["--snapshots", "https://"], {}, "is not an address"],
  [
    "an authorization of two lines",
    ["--snapshots", "."],
    { FLAGSTONE_SNAPSHOTS_AUTHORIZATION: "hush\nX: y" },
    "on one line",
  ],
  [
    "an authorization for several servers",
    ["--snapshots", "https://a.example", "--snapshots", "https://b.example"],
    { FLAGSTONE_SNAPSHOTS_AUTHORIZATION: "hush" },
    "would go to several servers",
  ],
])("%s is refused by name and not repeated", async (_, args, env, fix) => {
  const { status, err } = await flagstone(["--check", ...args], folder(), env)
  expect({ status, err }).toEqual({ status: 2, err: expect.stringContaining(fix) })
  expect(err).not.toMatch("hush")
})
