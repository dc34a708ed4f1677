// @module-tag system
import { execFileSync, spawnSync } from "node:child_process"
import { readFileSync } from "node:fs"
import { connect } from "node:net"
import { join, resolve } from "node:path"
import { describe, expect, test } from "vitest"
import { parse } from "yaml"
import { parseStoreAddress } from "../../../proxy/rate-limit/store-address.ts"
import type { ProxyConfig } from "../../../proxy/serve.ts"
import {
  buildFiles,
  createKeySource,
  createMapSource,
  flagEntry,
  mintKey,
  shop,
  wallClock,
} from "../fixtures.ts"
import { exchange } from "../raw-http.ts"
import { startTestProxy } from "../start-proxy.ts"

async function start(changes: Partial<ProxyConfig> = {}) {
  const web = mintKey({ rateLimit: { capacity: 4, refillPerSecond: 1 }, expiresAt: wallClock + 86_400_000 })
  const over = mintKey({ id: "over", expiresAt: wallClock - 1 })
  const files = buildFiles({ production: shop, staging: [] })
  const clock = { now: wallClock, monotonic: 0 }
  const keys = [web.record, over.record]
  const { proxy, lines, admin } = await startTestProxy({
    snapshots: [createMapSource(files)],
    keys: createKeySource(keys),
    clock: { now: () => clock.now, monotonicNow: () => clock.monotonic, random: () => 0 },
    evaluateBucket: { capacity: 3, refillPerSecond: 1 },
    adminPort: 0,
    logsRequests: true,
    trustedHops: 1,
    ...changes,
  })
  const ask = async (path: string, secret: string, headers = {}, method = "GET") =>
    (
      await fetch(proxy.url + path, { method, headers: { authorization: `Bearer ${secret}`, ...headers } })
    ).text()
  return { proxy, web, over, files, lines, clock, keys, admin, ask }
}

test("counts requests by template, failures by reason, and refusals by key id", async () => {
  const { proxy, web, over, admin, ask } = await start()
  for (const path of ["/v1/flags", "/v1/flags/a/b", "/v1/flags/unknown", "/v1/flags/dark.mode", "/v1/flags"])
    await ask(path, web.secret)
  await ask("/v1/flags", over.secret)
  await ask("/v1/flags", mintKey().secret)
  await ask("/nowhere", "x")
  await ask("/v1/flags", "x", {}, "DELETE")
  await exchange(proxy.port, "hello\r\n\r\n")
  const { text } = await admin("/metrics")
  for (const line of [
    'flagstone_requests_total{route="/v1/flags",method="GET",status="200"} 1',
    'flagstone_requests_total{route="/v1/flags",method="GET",status="401"} 2',
    'flagstone_requests_total{route="/v1/flags",method="other",status="405"} 1',
    'flagstone_requests_total{route="/v1/flags/{key}",method="GET",status="200"} 2',
    'flagstone_requests_total{route="other",method="GET",status="404"} 1',
    'flagstone_requests_total{route="other",method="other",status="400"} 1',
    'flagstone_auth_failures_total{reason="expired"} 1',
    'flagstone_auth_failures_total{reason="unknown"} 1',
    'flagstone_rate_limited_total{key_id="web"} 1',
    'flagstone_keys{state="active"} 1',
    'flagstone_keys{state="expired"} 1',
    `flagstone_key_expiry_timestamp_seconds{key_id="web",environment="production"} ${wallClock / 1000 + 86_400}`,
    'flagstone_snapshot_info{project="shop",environment="production",revision="none"} 1',
    'flagstone_snapshot_flags{project="shop",environment="production"} 4',
    "flagstone_ready 1",
    "flagstone_environments_missing 0",
  ])
    expect(text).toContain(`${line}\n`)
  expect(text).toMatch(/nodejs_eventloop_lag_p99_seconds \d/)
  expect(text).toMatch(/process_resident_memory_bytes \d/)
})

test("evaluations are counted and logged by their templates, without their contents", async () => {
  const { proxy, over, lines, admin, keys } = await start()
  const web = mintKey({ id: "page", for: "evaluate" })
  keys.push(web.record)
  await proxy.reload()
  const evaluate = async (path: string, secret: string, body: string) =>
    (
      await fetch(`${proxy.url}/ofrep/v1/evaluate/flags${path}`, {
        method: "POST",
        headers: { authorization: `Bearer ${secret}` },
        body,
      })
    ).text()
  const context = '{"context":{"targetingKey":"ann","email":"ann@example.com"}}'
  await evaluate("", web.secret, context)
  await evaluate("/dark.mode", web.secret, context)
  await evaluate("/unknown", web.secret, context)
  await evaluate("/dark.mode", web.secret, context)
  await evaluate("", over.secret, context)
  await evaluate("", mintKey().secret, context)
  const { text } = await admin("/metrics")
  for (const line of [
    'flagstone_requests_total{route="/ofrep/v1/evaluate/flags",method="POST",status="200"} 1',
    'flagstone_requests_total{route="/ofrep/v1/evaluate/flags",method="POST",status="401"} 2',
    'flagstone_requests_total{route="/ofrep/v1/evaluate/flags/{key}",method="POST",status="200"} 1',
    'flagstone_requests_total{route="/ofrep/v1/evaluate/flags/{key}",method="POST",status="429"} 1',
    'flagstone_rate_limited_total{key_id="page"} 1',
    'flagstone_auth_failures_total{reason="expired"} 1',
  ])
    expect(text).toContain(`${line}\n`)
  await proxy.stop()
  const requests = lines.filter(({ msg }) => msg === "request")
  expect(requests[1]).toMatchObject({
    method: "POST",
    route: "/ofrep/v1/evaluate/flags/{key}",
    status: 200,
    key: "page",
  })
  expect(JSON.stringify(lines)).not.toMatch(/ann|dark/)
})

test("a client's input makes no new series", async () => {
  const { admin, ask, proxy } = await start()
  await ask("/v1/flags", "x")
  await ask("/v1/flags/zero", "x")
  await ask("/zero", "x")
  await exchange(proxy.port, "MKCOL / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
  const count = async () => (await admin("/metrics")).text.match(/^flagstone_.*\{/gm)?.length
  const before = await count()
  for (let index = 0; index < 20; index++) {
    await ask(`/v1/flags/made-up-${index}`, `x${index}`, { "x-forwarded-for": `198.51.100.${index}` })
    await ask(`/made-up-${index}`, "x")
  }
  await exchange(proxy.port, "PROPFIND /x HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
  expect(await count()).toBe(before)
})

test("series of removed keys are removed, too", async () => {
  const { admin, ask, web, keys, proxy } = await start()
  for (let count = 0; count < 5; count++) await ask("/v1/flags", web.secret)
  expect((await admin("/metrics")).text).toMatch('key_id="web"')
  keys.splice(0, 2, mintKey({ id: "next" }).record)
  await proxy.reload()
  expect((await admin("/metrics")).text).not.toMatch('key_id="web"')
})

test("a set with one refused document has no good source, though the others are served", async () => {
  const { proxy, files, clock, admin } = await start()
  for (const [file, text] of buildFiles({ production: [flagEntry("new")], staging: [flagEntry("new")] }))
    if (file !== "staging.json") files.set(file, text)
  for (const _ of Array(3)) {
    clock.monotonic += 20 * 60_000
    await proxy.reload()
  }
  const { text } = await admin("/metrics")
  expect(text).toContain('flagstone_source_good_seconds{source="snapshots-1"} 3600\n')
  expect(text).toContain('flagstone_snapshot_refused{project="shop",environment="staging"} 1\n')
})

test("reloads are counted, and an outdated set has an age", async () => {
  const { admin, files, proxy, clock } = await start()
  files.set("production.json", "{")
  for (const [file, text] of buildFiles({ production: [flagEntry("new")], staging: [flagEntry("new")] }))
    if (file !== "production.json") files.set(file, text)
  clock.monotonic += 60_000
  await proxy.reload()
  files.set("manifest.json", "{")
  await proxy.reload()
  clock.monotonic += 5_000
  clock.now -= 86_400_000 // someone sets it
  const { text } = await admin("/metrics")
  expect(text).toContain('flagstone_reloads_total{source="snapshots-1",result="replaced"} 2\n')
  expect(text).toContain('flagstone_reloads_total{source="snapshots-1",result="refused"} 1\n')
  expect(text).toContain('flagstone_snapshot_refused{project="shop",environment="production"} 1\n')
  expect(text).toContain('flagstone_snapshot_age_seconds{project="shop",environment="production"} 65\n')
  expect(text).toContain('flagstone_snapshot_age_seconds{project="shop",environment="staging"} 5\n')
  const health = JSON.parse((await admin("/health")).text)
  expect(health).toMatchObject({
    ready: true,
    missing: [],
    unknown: [],
    projects: [
      {
        project: "shop",
        environments: {
          production: { flags: 4, fault: expect.stringMatching("production.json has 1 bytes") },
          staging: { flags: 1, fault: null },
        },
      },
    ],
    sources: [{ trouble: null }, { trouble: "manifest.json is not valid: it is not JSON", refused: 1 }],
  })
})

test("a request is logged with its route and its key's id only", async () => {
  const { ask, web, lines, proxy } = await start()
  await ask("/v1/flags/dark.mode?customer=ann", web.secret, {
    "x-forwarded-for": "203.0.113.9, 198.51.100.7",
  })
  await ask("/v1/flags", "guess")
  await proxy.stop()
  const requests = lines.filter(({ msg }) => msg === "request")
  expect(requests).toMatchObject([
    { method: "GET", route: "/v1/flags/{key}", status: 200, key: "web", address: "198.51.100.7" },
    { method: "GET", route: "/v1/flags", status: 401, denial: "malformed" },
  ])
  expect(JSON.stringify(requests)).not.toMatch(/dark|ann|guess/)
})

test("the admin port serves nothing else, and accepts no input", async () => {
  const { admin } = await start()
  expect(await admin("/")).toEqual({ status: 404, text: '{"error":"Not found"}' })
  expect((await admin("/metrics", { method: "POST" })).status).toBe(405)
  expect((await admin("/metrics", { method: "HEAD" })).text).toBe("")
})

test("the admin port listens only on the loopback address", async () => {
  const { proxy } = await start()
  const port = proxy.adminPort ?? 0
  const isOpen = (host: string) =>
    new Promise<boolean>((done) => {
      const socket = connect(port, host)
      socket.once("connect", () => done(true)).once("error", () => done(false))
      socket.once("connect", () => socket.destroy())
    })
  expect(await isOpen("127.0.0.1")).toBe(true)
  expect(await isOpen("127.0.0.2")).toBe(false) // Linux has all of 127/8, which a wildcard would cover
})

test("the admin port listens on another address if told to, and the log names it", async () => {
  const { proxy, lines } = await startTestProxy({ adminPort: 0, adminHost: "127.0.0.2", version: "1.2.3" })
  const response = await fetch(`http://127.0.0.2:${proxy.adminPort}/metrics`)
  expect(await response.text()).toMatch(/^flagstone_build_info\{version="1\.2\.3"\} 1$/m)
  const health = await fetch(`http://127.0.0.2:${proxy.adminPort}/health`)
  expect(await health.json()).toMatchObject({ version: "1.2.3" })
  // Another program may have that port there.
  const there = await fetch(`http://127.0.0.1:${proxy.adminPort}/metrics`).catch(() => undefined)
  expect((await there?.text()) ?? "").not.toMatch('version="1.2.3"')
  expect(lines.find(({ msg }) => msg === "proxy started")).toMatchObject({
    adminHost: "127.0.0.2",
    version: "1.2.3",
  })
})

describe("the shipped files", () => {
  const address = parseStoreAddress("redis://127.0.0.1:1")
  const nowhere = address && { address, wait: 25, proxies: 1 }
  const folder = resolve(import.meta.dirname, "../../../proxy/observability")
  const alerts = readFileSync(join(folder, "alerts.yaml"), "utf8")
  const dashboard = JSON.parse(readFileSync(join(folder, "dashboard.json"), "utf8"))
  const expressions: string[] = [
    ...parse(alerts).groups.flatMap(({ rules }: { rules: { expr: string }[] }) =>
      rules.map(({ expr }) => expr),
    ),
    ...dashboard.panels.flatMap(({ targets }: { targets: { expr: string }[] }) =>
      targets.map(({ expr }) => expr),
    ),
  ]

  test("query only existing metrics", async () => {
    const { admin } = await start({ rateLimitStore: nowhere })
    const { text } = await admin("/metrics")
    const there = new Set([...text.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name))
    const asked = expressions.flatMap(
      (expr) => expr.match(/\b(?:flagstone|nodejs|process)_[a-z0-9_]+/g) ?? [],
    )
    expect(asked.length).toBeGreaterThan(20)
    expect(asked.map((name) => name.replace(/_bucket$/, "")).filter((name) => !there.has(name))).toEqual([])
  })

  const hasPromtool = spawnSync("promtool", ["--version"]).status === 0
  if (!hasPromtool) console.warn("SKIPPED: alert rules by promtool, because it is not installed")
  test.skipIf(!hasPromtool)("pass promtool", () => {
    expect(
      execFileSync("promtool", ["check", "rules", join(folder, "alerts.yaml")], { encoding: "utf8" }),
    ).toMatch(`${parse(alerts).groups[0].rules.length} rules`)
  })

  test.skipIf(!hasPromtool)("and so does the answer to a scrape", async () => {
    const { admin, ask, web } = await start({ rateLimitStore: nowhere })
    await ask("/v1/flags", web.secret)
    const { text } = await admin("/metrics")
    const ours = text.split("\n").filter((line) => /^(# \w+ )?flagstone_/.test(line))
    const { status, stderr, stdout } = spawnSync("promtool", ["check", "metrics"], {
      input: `${ours.join("\n")}\n`,
      encoding: "utf8",
    })
    expect({ status, said: stdout + stderr }).toEqual({ status: 0, said: "" })
  })
})
