import { execFileSync, spawnSync } from "node:child_process"
import { readFileSync } from "node:fs"
import { createServer } from "node:http"
import { join, resolve } from "node:path"
import { expect, test } from "vitest"
import { createSigningKeys } from "../../cli/keys/create-signing-keys.ts"
import { run } from "../../cli/program.ts"
import { createTestLogger, mintKey } from "../proxy/fixtures.ts"
import { testHost } from "../test-host.ts"
import { showsSecrets } from "./record.ts"

// Tests that pass but leak: run.test.ts runs them with vitest like ours, and checks the result. Each keeps
// to one kind of output; the last ones show a secret where it belongs.

const cli = resolve(import.meta.dirname, "../../cli/flagstone.js")
const keyFile = join(process.env.PLANTED_FOLDER ?? "", "keys.yaml")
const create = ["keys", "create", "production", "--keys", keyFile]

async function answer(path: string, status: number, text: string): Promise<void> {
  const server = createServer((_, res) => res.writeHead(status).end(text))
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done))
  const { port } = server.address() as { port: number }
  expect((await fetch(`http://127.0.0.1:${port}${path}`)).status).toBe(status)
  await new Promise((done) => server.close(done))
}

test("log", () => createTestLogger().logger.info({ authorization: `Bearer ${mintKey().secret}` }))

test("metrics", () => answer("/metrics", 200, `requests{key="${mintKey().secret.slice(4, 47)}"} 1\n`))

test("server error", () =>
  answer("/v1/flags", 500, Buffer.from(createSigningKeys().privateKey).toString("base64")))

// Commands mask secrets in what they print, so these leak beside that.
test("stderr of a command in memory", () => {
  testHost().stderr.write(`${mintKey().secret}\n`)
})

const leaky = ["--import", "data:text/javascript,process.stderr.write(process.argv.at(-1))"]

test("stderr of a command in a process, under a shell, with a secret that another process made", () => {
  const secret = execFileSync(process.execPath, [cli, ...create], { encoding: "utf8" }).trim()
  const { stderr } = spawnSync("bash", [
    "-c",
    `"${process.execPath}" ${leaky[0]} "${leaky[1]}" "${cli}" build --flags %66${secret.slice(1)}`,
  ])
  expect(stderr.toString()).toContain(secret.slice(1))
})

test("stderr of a command in a process, with a secret that another process wrote to a file", () => {
  const file = join(process.env.PLANTED_FOLDER ?? "", "secret.txt")
  execFileSync(process.execPath, [cli, ...create, "--out", file], { stdio: "pipe" })
  spawnSync(process.execPath, [...leaky, cli, "build", "--flags", readFileSync(file, "utf8").trim()])
})

test("the stdout of keys create is where a secret belongs", async () => {
  const host = testHost({ showsSecrets: showsSecrets(create) })
  expect(await run(create, host, "1.2.3")).toBe(0)
  expect(host.out()).toMatch(/^fsk_/)
})
