// @module-tag system
import { expect, test } from "vitest"
import { checkServed } from "../../proxy/check.ts"
import { createProxyState, type ServedConfig } from "../../proxy/proxy-state.ts"
import { unavailable } from "../../proxy/reload/fault.ts"
import type { ProxyConfig } from "../../proxy/serve.ts"
import type { SnapshotSource } from "../../proxy/snapshots/snapshot-source.ts"
import type { Rule } from "../../sdk/contract/snapshot.ts"
import {
  buildFiles,
  createKeySource,
  createMapSource,
  createTestLogger,
  defaultBucket,
  flagEntry,
  mintKey,
  named,
  shop,
  wallClock,
} from "./fixtures.ts"
import { flagOf, rule } from "./ofrep/evaluated-flags.ts"
import { startTestProxy } from "./start-proxy.ts"

function sourceAt(location: string, files: ReadonlyMap<string, string>) {
  return { ...createMapSource(files), location }
}

const shopKey = mintKey({ id: "shop", project: "shop" })
const toysKey = mintKey({ id: "toys", project: "toys" })
const bareKey = mintKey({ id: "bare" })

/** Two projects, and a key for each. */
const config = (): ServedConfig => ({
  snapshots: [
    sourceAt("dist/shop", buildFiles({ production: shop })),
    sourceAt("dist/toys", named("toys", buildFiles({ production: [flagEntry("yo-yo")] }))),
  ],
  keys: createKeySource([shopKey.record, toysKey.record]),
  defaultBucket,
  clock: { now: () => wallClock, monotonicNow: () => 0, random: () => 0 },
  logger: createTestLogger().logger,
})

async function start(changes: Partial<ProxyConfig> = {}) {
  const { snapshots, keys } = config()
  const { proxy, lines, get } = await startTestProxy({ snapshots, keys, ...changes })
  const ask = async (secret: string, path = "/v1/flags", headers = {}) => {
    const response = await get(path, { authorization: `Bearer ${secret}`, ...headers })
    return { status: response.status, text: await response.text() }
  }
  return { proxy, ask, lines }
}

test("each key reads its own project", async () => {
  const { ask, lines } = await start()
  expect(lines.map(({ msg }) => msg)).toEqual(["proxy started"])
  expect((await ask(shopKey.secret)).text).toMatch("dark.mode")
  expect((await ask(toysKey.secret)).text).toMatch("yo-yo")
  expect(await ask(toysKey.secret, "/v1/flags/dark.mode")).toEqual({
    status: 404,
    text: '{"error":"Flag not found"}',
  })
  expect((await ask(shopKey.secret, "/readyz")).status).toBe(200)
})

test("a key that names no project is answered 503, never another project's flags", async () => {
  const { ask, lines } = await start({ keys: createKeySource([shopKey.record, bareKey.record]) })
  expect(await ask(bareKey.secret)).toEqual({ status: 503, text: '{"error":"Service unavailable"}' })
  expect((await ask(shopKey.secret)).status).toBe(200)
  expect((await ask(shopKey.secret, "/readyz")).status).toBe(200)
  expect(lines).toContainEqual(
    expect.objectContaining({
      level: 40,
      msg: "with several projects a key must name its `project`",
      environments: ["production"],
      keys: [bareKey.record.id],
    }),
  )
})

test("a source without anything good yet does not keep the others from starting", async () => {
  const files = named("toys", buildFiles({ production: [flagEntry("yo-yo")] }))
  const manifest = files.get("manifest.json") ?? ""
  files.delete("manifest.json")
  const snapshots = [sourceAt("dist/shop", buildFiles({ production: shop })), sourceAt("dist/toys", files)]
  const { ask, proxy, lines } = await start({ snapshots })
  expect((await ask(shopKey.secret)).status).toBe(200)
  expect((await ask(toysKey.secret)).status).toBe(503)
  expect(lines).toContainEqual(expect.objectContaining({ level: 50, location: "dist/toys" }))
  expect((await ask(shopKey.secret, "/readyz")).status).toBe(503) // toysKey's snapshot may still arrive
  files.set("manifest.json", manifest)
  await proxy.reload()
  expect((await ask(toysKey.secret)).text).toMatch("yo-yo")
  expect((await ask(toysKey.secret, "/readyz")).status).toBe(200)
})

test("what keys and the manifest name must be loaded once; later only draining takes a proxy out", async () => {
  const files = buildFiles({ production: shop, staging: [] })
  const document = files.get("staging.json") ?? ""
  files.delete("staging.json")
  const staging = mintKey({ id: "staging", environment: "staging" })
  const records = [bareKey.record, staging.record]
  const { ask, proxy, lines } = await start({
    snapshots: [createMapSource(files)],
    keys: createKeySource(records),
  })
  const ready = async () => (await ask(bareKey.secret, "/readyz")).status
  expect(await ready()).toBe(503)
  files.set("staging.json", document)
  await proxy.reload()
  expect(await ready()).toBe(200)

  records.push(mintKey({ id: "slip", environment: "prodution" }).record)
  await proxy.reload()
  expect(await ready()).toBe(200)
  expect(lines).toContainEqual(
    expect.objectContaining({
      msg: "a key names an environment that no manifest has",
      environments: ["prodution"],
      keys: ["slip"],
    }),
  )

  for (const [file, text] of buildFiles({ production: shop })) files.set(file, text) // staging was removed
  await proxy.reload()
  expect((await ask(staging.secret)).status).toBe(503)
  expect(await ready()).toBe(200)
})

test.each(["dist/b", "dist/a"])(
  "two sources of one project, dist/a and %s: the first stays, even if it answers last, and the other is refused",
  async (second) => {
    const first = sourceAt("dist/a", buildFiles({ production: shop }))
    const snapshots: SnapshotSource[] = [
      {
        ...first,
        async version(ask) {
          await new Promise((done) => setTimeout(done, 50))
          return first.version(ask)
        },
      },
      sourceAt(second, buildFiles({ production: [flagEntry("other")] })),
    ]
    const { ask, lines } = await start({ snapshots, keys: createKeySource([shopKey.record]) })
    expect((await ask(shopKey.secret)).text).toMatch("dark.mode")
    expect(lines).toContainEqual(
      expect.objectContaining({
        reason: "project shop already comes from dist/a; name each --snapshots once",
      }),
    )
  },
)

test("environments fail one by one: the others continue, and a broken one keeps its last good document", async () => {
  const files = buildFiles({ production: shop, staging: [] })
  const staging = mintKey({ id: "staging", environment: "staging" })
  const { ask, proxy, lines } = await start({
    snapshots: [createMapSource(files)],
    keys: createKeySource([bareKey.record, staging.record]),
  })
  const before = (await ask(bareKey.secret)).text
  for (const [file, text] of buildFiles({ production: [flagEntry("new")], staging: [flagEntry("new")] }))
    files.set(file, file === "production.json" ? text.replace("new", "wen") : text)
  await proxy.reload()
  expect((await ask(bareKey.secret)).text).toBe(before)
  expect((await ask(staging.secret)).text).toMatch('"key":"new"')
  expect((await ask(staging.secret, "/readyz")).status).toBe(200)
  expect(lines).toContainEqual(
    expect.objectContaining({
      level: 50,
      environment: "production",
      reason: expect.stringMatching("does not have the SHA-256"),
    }),
  )
})

test("a document that is damaged, and repaired, is no reload: what is served stays, with its time", async () => {
  const files = buildFiles({ production: shop, staging: [] })
  const document = files.get("production.json") ?? ""
  let now = 0
  const { logger, lines } = createTestLogger()
  const state = await createProxyState({
    ...config(),
    snapshots: [createMapSource(files)],
    clock: { now: () => wallClock, monotonicNow: () => now, random: () => 0 },
    logger,
  })
  const before = lines.length
  for (const text of ["", document]) {
    now += 60_000
    files.set("production.json", text)
    await state.projects[0]?.reload(false)
  }
  expect(lines.slice(before)).toMatchObject([
    { msg: "snapshot refused; the last good one stays", environment: "production" },
    { msg: "snapshot can be read again", environment: "production" },
  ])
  expect(state.projects[0]).toMatchObject({ replaced: 1, goodAt: now })
  const [project] = state.generation.projects
  expect([...(project?.environments.values() ?? [])].map(({ loadedAt }) => loadedAt)).toEqual([0, 0])
})

test("a change of the keys counts when two reads find it, a change of the snapshots at the first", async () => {
  const records = [shopKey.record]
  const files = buildFiles({ production: shop })
  const state = await createProxyState({
    ...config(),
    snapshots: [createMapSource(files)],
    keys: createKeySource(records),
  })
  records.length = 0
  expect(await state.keys.reload(false)).toEqual({ kind: "waiting" })
  expect(state.keyring.size).toBe(1)
  expect(await state.keys.reload(false)).toEqual({ kind: "replaced" })
  expect(state.keyring.size).toBe(0)
  for (const [file, text] of buildFiles({ production: [flagEntry("new")] })) files.set(file, text)
  expect(await state.projects[0]?.reload(false)).toEqual({ kind: "replaced" })
})

test("behind our own proxy, strangers are distinguished by what it adds, not by what they make up", async () => {
  const { ask } = await start({ trustedHops: 1 })
  const guess = (forwarded: string) => ask("guess", "/v1/flags", { "x-forwarded-for": forwarded })
  for (let count = 0; count < 100; count++)
    expect((await guess(`203.0.113.${count}, 198.51.100.7`)).status).toBe(401)
  expect((await guess("192.0.2.9, 198.51.100.7")).status).toBe(429)
  expect((await guess("198.51.100.7, 198.51.100.8")).status).toBe(401)
  expect((await guess("198.51.100.7:4711")).status).toBe(429)
})

test("check warns of globs that match no flag, if there are flags to compare them with", async () => {
  const pageOf = (environment: string) =>
    mintKey({
      id: `page-${environment}`,
      project: "shop",
      environment,
      for: "evaluate",
      flags: ["dark.*", "web/**", "a?b"],
    })
  const keys = createKeySource([pageOf("production").record, pageOf("nowhere").record])
  const check = await checkServed({
    ...config(),
    snapshots: [createMapSource(buildFiles({ production: shop }))],
    keys,
  })
  expect(check.warnings).toEqual([
    "key page-production: no flag in shop/production matches web/**",
    "key page-production: no flag in shop/production matches a?b",
  ])
})

test.each([
  ["now", []],
  ["time", ["the time is added as time, but flags compare now, since with a time"]],
])(
  "a clock's attribute that no flag compares with a time has a warning: %s",
  async (clockAttribute, warnings) => {
    const moments = ["since", "now"].map((attribute) => rule("after", attribute, "2026-12-01", true))
    const timeless = [rule("equals", "time", "2026-12-01", true)]
    const keys = createKeySource([shopKey.record])
    const from = (rules: readonly Rule[]) => ({
      snapshots: [createMapSource(buildFiles({ production: [flagOf("banner", "boolean", false, rules)] }))],
      ...{ keys, evaluateBucket: defaultBucket, clockAttribute },
    })
    const warned = async (rules: readonly Rule[]) =>
      (await checkServed({ ...config(), ...from(rules) })).warnings
    expect(await warned([...moments, ...timeless])).toEqual(warnings)
    expect(await warned(timeless)).toEqual([])
    const { lines } = await start(from(moments))
    expect(lines.flatMap(({ level, msg }) => (level === 40 ? msg : []))).toEqual(warnings)
  },
)

test("a proxy without any good source names each with what is wrong with it, and so does its check", async () => {
  const snapshots = [
    sourceAt("dist/shop", new Map([["manifest.json", "{"]])),
    sourceAt("a map", new Map<string, string>()),
  ]
  const said = "dist/shop: manifest.json is not valid: it is not JSON\nno manifest.json in a map"
  await expect(start({ snapshots })).rejects.toThrow(new Error(said))
  expect((await checkServed({ ...config(), snapshots })).findings).toEqual([said])
})

test("check reports keys that only the cache has", async () => {
  const keys = createKeySource([shopKey.record, toysKey.record])
  const { read } = keys
  const cache = { location: "a folder", read: () => read(undefined, ask), write: async () => undefined }
  const ask = { isForced: true, signal: AbortSignal.timeout(60_000) }
  const down = { ...keys, version: async () => unavailable("gone"), cache }
  const { findings } = await checkServed({ ...config(), keys: down })
  expect(findings).toEqual(["memory: gone; the cache is used instead"])
})

test("check reports what would be served and what is wrong", async () => {
  const files = buildFiles({ production: shop, staging: [] })
  files.set("staging.json", "{")
  const check = await checkServed({
    ...config(),
    snapshots: [createMapSource(files)],
    keys: createKeySource([shopKey.record, toysKey.record]),
  })
  expect(check).toEqual({
    served: ["shop/production: 4 flags of no commit", "memory: 2 keys"],
    findings: [
      "a map: staging: staging.json has 1 bytes instead of the 13 in manifest.json: half-written or truncated",
      "no snapshot for toys/production, which a key names",
    ],
    warnings: [],
  })
  expect(await checkServed({ ...config(), snapshots: [createMapSource(new Map())] })).toEqual({
    served: [],
    findings: ["no manifest.json in a map"],
    warnings: [],
  })
  const bare = await checkServed({ ...config(), keys: createKeySource([bareKey.record]) })
  expect(bare.findings).toEqual([
    "no snapshot for production, which a key names; with several projects a key must name its `project`",
  ])
})
