// @module-tag system
import { type ChildProcess, spawn, spawnSync } from "node:child_process"
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, onTestFinished, test } from "vitest"
import { startProcess } from "../cli/processes.ts"
import { createKeySource, mintKey } from "../proxy/fixtures.ts"
import { openTestStore } from "../proxy/rate-limit/open-store.ts"
import { makeServedFolder, startTestProxy } from "../proxy/start-proxy.ts"
import { ended } from "../servers/nginx.ts"
import { freePort, untilListening } from "../servers/ports.ts"
import { describeStores, hasTls, startRedis, startTlsRedis } from "../servers/redis.ts"
import { blocksOf, readPage } from "./pages.ts"

// The configuration in docs/fleet.md for one limit for several proxies.

const blocks = blocksOf(readPage("docs/fleet.md").text)
const blockIn = (wanted: string): string => blocks.find(({ language }) => language === wanted)?.text ?? ""

describeStores((name) => {
  test("the user's rights are those that a proxy needs, and no more", async () => {
    const redis = await startRedis(name)
    onTestFinished(() => redis.stop())
    await redis.command(...blockIn("redis").trim().split(" "))
    const url = redis.url.replace("//", "//flagstone:a-long-password@")
    const proxy = await openTestStore(`${url}/1`)
    expect((await proxy.take({ capacity: 10, refillPerSecond: 1 })).kind).toBe("allowed")
    expect(proxy.store.decisions).toEqual({ store: 1, refusal: 0, local: 0 })
    proxy.store.stop()
    expect(await redis.command("ACL", "LOG")).toEqual([])
    await openTestStore(redis.url.replace("//", "//flagstone:another@"), { fault: /^WRONGPASS/ })
  })

  test.skipIf(!hasTls(name))(
    "over TLS, with a certificate of one's own authority and that user, by variables alone",
    async () => {
      const redis = await startTlsRedis(name)
      onTestFinished(() => redis.stop())
      await redis.command(...blockIn("redis").trim().split(" "))
      const { folder, keyFile } = makeServedFolder()
      const args = [
        "serve",
        "--snapshots",
        ".",
        "--keys",
        keyFile,
        "--port",
        "0",
        "--rate-limit-wait",
        "500ms",
      ]
      const start = (env: NodeJS.ProcessEnv) =>
        startProcess(folder, args, {
          FLAGSTONE_RATE_LIMIT_STORE: redis.tlsUrl.replace("//", "//flagstone:a-long-password@"),
          ...env,
        })
      const said = async (proxy: ReturnType<typeof start>) => JSON.parse(await proxy.line(/"rate limits/))
      expect(await said(start({ NODE_EXTRA_CA_CERTS: redis.certificate }))).toMatchObject({
        msg: "rate limits shared",
        store: redis.tlsUrl,
      })
      expect(await said(start({}))).toMatchObject({
        fault: expect.stringMatching(/SELF_SIGNED.*NODE_EXTRA_CA_CERTS/),
      })
      expect(await redis.command("ACL", "LOG")).toEqual([])
    },
  )
})

const hasNginx = spawnSync("nginx", ["-v"]).status === 0
if (!hasNginx) console.warn("SKIPPED: requests spread by key, because nginx is not installed")
test.skipIf(!hasNginx)(
  "nginx sends the requests with a key to one proxy, so that its limit is exact",
  async () => {
    // So many that a draw in which one proxy has them all comes once in 30,000 runs.
    const keys = Array.from({ length: 16 }, (_, at) =>
      mintKey({ id: `client-${at}`, rateLimit: { capacity: 3, refillPerSecond: 0.001 } }),
    )
    const source = createKeySource(keys.map(({ record }) => record))
    const proxies = [await startTestProxy({ keys: source }), await startTestProxy({ keys: source })]
    const [first, second] = proxies.map(({ proxy }) => `127.0.0.1:${proxy.port}`)
    const port = await freePort()
    const servers = blockIn("nginx")
      .replace("10.0.0.1:8080", first ?? "")
      .replace("10.0.0.2:8080", second ?? "")
      .replace("443 ssl http2", `127.0.0.1:${port}`)
      .replace("# hash", "hash")
      .replace(/ssl_certificate\S* .*/g, "")
    const child = startNginx(servers)
    onTestFinished(() => ended(child))
    await untilListening(port)
    const ask = async (secret: string) => {
      const headers = { authorization: `Bearer ${secret}` }
      const response = await fetch(`http://127.0.0.1:${port}/v1/flags/dark.mode`, { headers })
      await response.arrayBuffer()
      return response.status
    }
    for (const { secret } of keys) {
      const found = []
      for (let count = 0; count < 5; count++) found.push(await ask(secret))
      expect(found).toEqual([200, 200, 200, 429, 429])
    }
    await proxies[0]?.proxy.stop()
    const after = []
    for (const { secret } of keys) after.push(await ask(secret))
    expect(new Set(after)).toEqual(new Set([200, 429])) // those of the other proxy still have no token
  },
)

function startNginx(servers: string): ChildProcess {
  const home = mkdtempSync(join(tmpdir(), "flagstone-hash-"))
  onTestFinished(() => rmSync(home, { recursive: true, force: true }))
  const paths = ["proxy", "fastcgi", "uwsgi", "scgi", "client_body"]
  for (const path of paths) mkdirSync(join(home, path))
  writeFileSync(
    join(home, "nginx.conf"),
    `${process.getuid?.() === 0 ? "user root;\n" : ""}daemon off; pid ${home}/pid; error_log ${home}/error.log; events {}
     http { access_log off; ${paths.map((path) => `${path}_temp_path ${home}/${path};`).join(" ")}
     ${servers} }`,
  )
  return spawn("nginx", ["-p", home, "-e", join(home, "error.log"), "-c", join(home, "nginx.conf")], {
    stdio: "inherit",
  })
}
