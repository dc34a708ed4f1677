// @module-tag system
// @module-tag slow
import { expect, test, vi } from "vitest"
import { spawnProxy } from "../../proxy/start-proxy.ts"
import { freePort } from "../../servers/ports.ts"
import { s3Publisher } from "./s3-publisher.ts"

const { address, build, publish, publishWith, release, repository } = s3Publisher()

/** Starts a proxy that reads the target and its keys there, and returns the address of its admin port. */
async function startReader(...args: readonly string[]) {
  const proxy = spawnProxy(address("").replace(/\/$/, ""), address("keys.yaml"), [
    ...["--poll-interval", "50ms", "--admin-port", "0", ...args],
  ])
  const url = await proxy.started()
  return { ...proxy, url, admin: `http://127.0.0.1:${/"adminPort":(\d+)/.exec(proxy.log())?.[1]}` }
}

async function newKey(id: string): Promise<string> {
  return (await repository().flagstone(["keys", "create", "staging", "--id", id])).out.trim()
}

const sends = ["--keys", "keys.yaml"]

test("returns once every proxy serves the revision and has the keys, and says how long each took", async () => {
  await newKey("web")
  await release({ a: true }, ...sends)
  const [one, two] = [await startReader(), await startReader()]
  const leaked = await newKey("leaked")
  const { revision, status, err } = await release(
    { b: true },
    ...sends,
    "--wait",
    `${one.admin},${two.admin}/`,
  )
  expect({ status, err }).toMatchObject({ status: 0 })
  for (const { admin } of [one, two]) {
    expect(err).toMatch(new RegExp(`^${admin} has it after \\d+ s$`, "m"))
    const { projects } = await (await fetch(`${admin}/health`)).json()
    expect(projects[0].environments.production.revision).toBe(revision)
  }
  const ask = (url: string) =>
    fetch(`${url}/v1/flags`, { headers: { authorization: `Bearer ${leaked}` } }).then((each) => each.status)
  expect([await ask(one.url), await ask(two.url)]).toEqual([200, 200])
  await repository().flagstone(["keys", "revoke", "leaked"])
  expect(await publish(...sends, "--wait", one.admin, "--wait", two.admin)).toMatchObject({ status: 0 })
  expect([await ask(one.url), await ask(two.url)]).toEqual([401, 401])
  expect((await publish("--wait", one.admin)).err).toContain("nothing to send\n")
})

test("names the proxies that do not follow, and why", async () => {
  const { out, err } = await repository().flagstone(["keys", "signing"])
  const key = { FLAGSTONE_SIGNING_KEY: out.trim() }
  await newKey("web")
  repository().commitFlags({ a: true })
  await build()
  await publishWith(key, ...sends)
  const verifies = await startReader("--verify-key", /--verify-key (\S+)/.exec(err)?.[1] ?? "")
  const nobody = `http://127.0.0.1:${await freePort()}`
  repository().commitFlags({ b: true })
  await build()
  const waiting = ["--wait", `${verifies.admin},${nobody},${verifies.url}`, "--time-limit", "8s"]
  const moved = ["--base-url", "https://moved.example", "--new-base-url"]
  const failed = await publishWith(key, ...sends, ...moved, ...waiting)
  expect(failed.status).toBe(2)
  const lines = failed.err.split("\n")
  expect(lines).toContainEqual(
    expect.stringMatching(
      `^${verifies.admin} serves [0-9a-f]{10}: .*manifest.json was published to https://moved.example, not to `,
    ),
  )
  expect(lines).toContainEqual(`${nobody} cannot be asked: GET ${nobody}/health: ECONNREFUSED`)
  expect(lines).toContainEqual(
    `${verifies.url} cannot be asked: its /health returned 404; is this the URL of --admin-port?`,
  )
  expect(failed.err).toContain("is published, but these proxies do not have it after 8 s (3 of 3):\n")
  await vi.waitFor(() => expect(verifies.log()).toContain("snapshots refused"))
})
