import { execFileSync, spawnSync } from "node:child_process"
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { createServer } from "node:http"
import { createRequire } from "node:module"
import type { AddressInfo } from "node:net"
import { homedir, tmpdir } from "node:os"
import { join } from "node:path"
import { type Client, OpenFeature, type Provider } from "@openfeature/server-sdk"
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest"
import { FlagstoneProvider } from "../../sdk/openfeature/provider.ts"
import { until } from "../in-time.ts"
import { blocksOf, readPage, root } from "./pages.ts"

// The provider of docs/migrating.md, with LaunchDarkly's own provider as the old one.

const cache = join(
  process.env.XDG_CACHE_HOME || join(homedir(), ".cache"),
  "flagstone",
  "clients",
  "launchdarkly",
)
const packages = [
  "@launchdarkly/node-server-sdk@9.13.7",
  "@launchdarkly/openfeature-node-server@1.3.6",
  "@openfeature/server-sdk@1.23.0",
]

type Both = (old: Provider, flagstone: Provider, count: (flag: string, result: string) => void) => Provider
type LaunchDarkly = new (key: string, options: object) => Provider

const blocks = blocksOf(readPage("docs/migrating.md").text)

const flagOf = (key: string, changes: object) => ({
  ...{ key, on: true, version: 1, salt: key, variations: [true, false], offVariation: 1 },
  ...{ fallthrough: { variation: 1 }, targets: [], rules: [], prerequisites: [], ...changes },
})
const rollout = (percentage: number) => ({
  rollout: {
    bucketBy: "key",
    variations: [
      { variation: 0, weight: percentage * 1000 },
      { variation: 1, weight: (100 - percentage) * 1000 },
    ],
  },
})
const inSegment = { attribute: "", op: "segmentMatch", values: ["staff"], negate: false }
const withoutFake = { attribute: "email", op: "matches", values: ["^(?!fake).*@shop"], negate: false }
/** `left-out` cannot be expressed: RE2 looks ahead nowhere. */
const exported = {
  flags: Object.fromEntries(
    [
      flagOf("left-out", { rules: [{ id: "r", variation: 0, clauses: [withoutFake] }] }),
      flagOf("for-all", { fallthrough: { variation: 0 } }),
      flagOf("targets", { targets: [{ values: ["ann"], variation: 0 }] }),
      flagOf("for-staff", { rules: [{ id: "r", variation: 0, clauses: [inSegment] }] }),
      flagOf("five", { fallthrough: rollout(5) }),
      flagOf("fifty", { fallthrough: rollout(50) }),
    ].map((flag) => [flag.key, flag]),
  ),
  segments: { staff: { key: "staff", version: 1, salt: "s", included: ["ann"], excluded: [], rules: [] } },
}

let both: Both
let LaunchDarklyProvider: LaunchDarkly
let fileData: () => unknown
const project = mkdtempSync(join(tmpdir(), "flagstone-migrating-"))

const flagstone = (...args: readonly string[]) =>
  execFileSync(process.execPath, [join(root, "cli/main.ts"), ...args], { cwd: project, stdio: "pipe" })

function importFlags(...options: readonly string[]): void {
  const words = ["import", "launchdarkly", "production=flagdata.json", "--skip", ...options]
  const imported = spawnSync(process.execPath, [join(root, "cli/main.ts"), ...words], {
    ...{ cwd: project, encoding: "utf8" },
  })
  expect(imported).toMatchObject({ status: 1, stdout: expect.stringMatching(/cannot be expressed +1$/m) })
}

/** The document of the imported flags, as they are in the project now. */
function document(): unknown {
  flagstone("build")
  return JSON.parse(readFileSync(join(project, "dist/production.json"), "utf8"))
}

beforeAll(async () => {
  mkdirSync(cache, { recursive: true })
  execFileSync("npm", ["install", "--prefix", cache, "--no-audit", "--no-fund", ...packages])
  const require = createRequire(join(cache, "x"))
  LaunchDarklyProvider = require("@launchdarkly/openfeature-node-server").LaunchDarklyProvider
  const { FileDataSourceFactory } = require("@launchdarkly/node-server-sdk/integrations")
  const path = join(project, "flagdata.json")
  writeFileSync(path, JSON.stringify(exported))
  fileData = () => new FileDataSourceFactory({ paths: [path] }).getFactory()
  const block = blocks.find(({ info }) => info === "both.ts")
  writeFileSync(join(project, "both.ts"), block?.text ?? "")
  both = (await import(join(project, "both.ts"))).both
  importFlags()
}, 600_000)
afterAll(() => OpenFeature.close())

const oldProvider = () =>
  new LaunchDarklyProvider("key", { sendEvents: false, diagnosticOptOut: true, updateProcessor: fileData() })

let domains = 0

/** A client that asks both, and what was counted: how often, by flag and result. */
async function open(provider: Provider): Promise<{ client: Client; counted: Record<string, number> }> {
  const counted: Record<string, number> = {}
  const count = (flag: string, result: string) => {
    const name = `${flag} ${result}`
    counted[name] = (counted[name] ?? 0) + 1
  }
  const domain = `both-${domains++}`
  await OpenFeature.setProviderAndWait(domain, both(oldProvider(), provider, count))
  return { client: OpenFeature.getClient(domain), counted }
}

const imported = () => new FlagstoneProvider({ document: document() as never })
const settle = () => new Promise((done) => setTimeout(done, 50))

describe("answers as the old provider does", () => {
  test("for a flag that was left out, whatever the code's default is", async () => {
    const { client, counted } = await open(imported())
    expect(await client.getBooleanValue("left-out", true, { targetingKey: "ann" })).toBe(false)
    await settle()
    expect(counted).toEqual({ "left-out FLAG_NOT_FOUND": 1 })
  })

  test("while Flagstone is unreachable at the start, and compares once it is there", async () => {
    const server = createServer((_, response) => response.writeHead(200).end(JSON.stringify(answer)))
    await new Promise<void>((done) => server.listen(0, "127.0.0.1", done))
    const { port } = server.address() as AddressInfo
    const answer = document()
    await new Promise((done) => server.close(done))
    const { client, counted } = await open(
      new FlagstoneProvider({ url: `http://127.0.0.1:${port}/production.json` }),
    )
    const ask = () => client.getBooleanValue("for-all", false, { targetingKey: "ann" })
    expect(await ask()).toBe(true)
    await settle()
    expect(counted).toEqual({ "for-all PROVIDER_NOT_READY": 1 })
    await new Promise<void>((done) => server.listen(port, "127.0.0.1", done))
    onTestFinished(() => void server.close())
    await until(async () => (await ask()) && (counted["for-all same"] ?? 0) > 0, "Flagstone answers")
  })

  test("for a context with `targetingKey` only, and agrees once the imported id has that name", async () => {
    const ask = async (client: Client) => {
      for (const flag of ["targets", "for-staff"])
        expect(await client.getBooleanValue(flag, false, { targetingKey: "ann" })).toBe(true)
      await settle()
    }
    const before = await open(imported())
    await ask(before.client)
    expect(before.counted).toEqual({ "targets differs": 1, "for-staff differs": 1 })
    rmSync(join(project, "flags"), { recursive: true })
    importFlags("--rename", "key=targetingKey")
    const after = await open(imported())
    await ask(after.client)
    expect(after.counted).toEqual({ "targets same": 1, "for-staff same": 1 })
  })

  test("for a context with `targetingKey` and `key`", async () => {
    const { client, counted } = await open(imported())
    const context = { targetingKey: "ann", key: "ann" }
    for (const flag of ["for-all", "targets", "for-staff"])
      expect(await client.getBooleanValue(flag, false, context)).toBe(true)
    await settle()
    expect(counted).toEqual({ "for-all same": 1, "targets same": 1, "for-staff same": 1 })
  })

  test("and as many users differ in rollouts as the page says", async () => {
    const { client, counted } = await open(imported())
    for (let at = 0; at < 20_000; at++)
      for (const flag of ["five", "fifty"])
        await client.getBooleanValue(flag, false, { targetingKey: `user-${at}` })
    await settle()
    const share = (flag: string) => (counted[`${flag} differs`] ?? 0) / 200
    console.log(`differ: ${share("five")} % of a rollout of 5 %, ${share("fifty")} % of one of 50 %`)
    expect(Math.abs(share("five") - 9.5)).toBeLessThan(1)
    expect(Math.abs(share("fifty") - 50)).toBeLessThan(2)
  }, 240_000)
})
