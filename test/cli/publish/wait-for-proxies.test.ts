import { expect, test } from "vitest"
import { Failure } from "../../../cli/failure.ts"
import { waitForProxies } from "../../../cli/publish/wait-for-proxies.ts"
import type { Web } from "../../../cli/publish/web.ts"

const revision = "5f".repeat(20)
const published = Date.UTC(2026, 10, 21, 10)
const environment = (sha256: string) => ({ id: "x", file: "x.json", sha256, size: 1, flags: 1 })
const manifest = {
  formatVersion: 1,
  ...{ project: "shop", revision, committedAt: "2026-11-21T09:00:00.000Z" },
  environments: { staging: environment("a1"), production: environment("b2") },
} as const

/** The answer of a proxy that has everything. */
const health = {
  projects: [
    { project: "toys", environments: {} },
    {
      project: "shop",
      environments: { staging: { sha256: "a1", revision }, production: { sha256: "b2", revision } },
    },
  ],
  keysPublishedAt: "2026-11-21T10:00:00.000Z",
  sources: [{}],
}
const shop = (environments: object) => ({ ...health, projects: [{ project: "shop", environments }] })

/** Asks proxies whose answers come one after the other, the last again and again; time passes only in pauses. */
async function wait(
  answers: Readonly<Record<string, readonly unknown[]>>,
  { sendsKeys = true, limit = 1000 } = {},
) {
  let now = 5000
  const lines: string[] = []
  const pauses: number[] = []
  const requests: unknown[] = []
  const asked = new Map<string, number>()
  const web: Web = {
    async request(create, longest, most) {
      const { method, url, headers } = await create()
      requests.push([method, url.pathname, headers, longest, most])
      const all = answers[url.origin] ?? []
      const times = asked.get(url.origin) ?? 0
      asked.set(url.origin, times + 1)
      const answer = all[Math.min(times, all.length - 1)]
      if (answer instanceof Error) throw answer
      if (typeof answer === "number") return { status: answer, headers: {}, body: Buffer.of() }
      return { status: 200, headers: {}, body: Buffer.from(JSON.stringify(answer)) }
    },
    pause: async () => undefined,
    close: async () => undefined,
  }
  const outcome = await waitForProxies(
    Object.keys(answers),
    {
      revision: `${revision}-dirty-0123456789ab`,
      manifest,
      keysPublishedAt: sendsKeys ? published : undefined,
    },
    {
      web,
      monotonicNow: () => now,
      sleep: async (pause) => {
        pauses.push(pause)
        now += pause
      },
      limit,
      onLine: (line) => lines.push(line),
    },
  ).then(
    () => "all",
    (error: Error) => {
      expect(error).toBeInstanceOf(Failure)
      return error.message
    },
  )
  return { outcome, lines, pauses, requests }
}

test("a proxy is asked again until it has everything, and each that has it gets a line", async () => {
  const old = shop({ staging: { sha256: "a1", revision }, production: { sha256: "old", revision } })
  const done = await wait({ "http://a:1": [health], "http://b:1": [503, old, new Error("x"), health] })
  expect(done).toMatchObject({
    outcome: "all",
    lines: ["http://a:1 has it after 0 s\n", "http://b:1 has it after 1 s\n"],
    pauses: [250, 250, 250],
  })
  expect(new Set(done.requests.map((request) => JSON.stringify(request)))).toEqual(
    new Set(['["GET","/health",{},8388608,1]']),
  )
})

test("the last pause ends at the limit", async () => {
  const { outcome, pauses } = await wait({ "http://a:1": [{}] }, { limit: 600 })
  expect(outcome).toContain("after 1 s (1 of 1)")
  expect(pauses).toEqual([250, 250, 100])
})

test("those that have it and those that do not are told apart", async () => {
  const { outcome, lines } = await wait({ "http://a:1": [health], "http://b:1": [{}], "http://c:1": [null] })
  expect(lines).toEqual(["http://a:1 has it after 0 s\n"])
  expect(outcome).toBe(
    "5f5f5f5f5f-dirty-0123456789ab is published, but these proxies do not have it after 1 s (2 of 3):\n" +
      "http://b:1 serves no project shop\nhttp://c:1 serves no project shop",
  )
})

const sources = [{ trouble: "too\u001bold" }, { trouble: "no key" }, { trouble: "no key" }, {}, null]
test.each([
  ["cannot be asked: its /health returned 404; is this the URL of --admin-port?", 404],
  ["cannot be asked: ECONNREFUSED", new Error("ECONNREFUSED")],
  ["serves no project shop", { ...health, projects: "shop" }],
  ["serves no project shop", { ...health, projects: [{ project: "toys", environments: {} }, null] }],
  ["serves no project shop", { ...health, projects: [{ project: "shop" }] }],
  ["serves no project shop: too\\u001bold; no key", { ...health, projects: [], sources }],
  ["does not serve production", shop({ staging: { sha256: "a1", revision } })],
  ["does not serve staging: too\\u001bold; no key", { ...shop({ production: {} }), sources }],
  ["serves 1111111111", shop({ staging: { sha256: "a1", revision: "1".repeat(40) } })],
  ["serves 5f5f5f5f5f", shop({ staging: { sha256: "a2", revision } })],
  ["serves a\\u001b: too\\u001bold; no key", { ...shop({ staging: { revision: "a\u001b" } }), sources }],
  ["does not have these keys", { ...health, keysPublishedAt: "2026-11-21T09:59:59.999Z" }],
  ["does not have these keys; its key file was not published", { ...health, keysPublishedAt: null }],
  ["does not have these keys: too\\u001bold; no key", { ...health, keysPublishedAt: 0, sources }],
])("a proxy that does not follow %s", async (words, answer) => {
  const { outcome } = await wait({ "http://a:1": [answer] })
  expect(outcome.split("\n")[1]).toBe(`http://a:1 ${words}`)
})

test("if no keys were sent, a proxy may have others", async () => {
  const other = { ...health, keysPublishedAt: null }
  expect(await wait({ "http://a:1": [other] }, { sendsKeys: false })).toMatchObject({
    outcome: "all",
  })
})
