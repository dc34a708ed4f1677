import { execFile } from "node:child_process"
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { promisify } from "node:util"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { chromium, openBrowser } from "../browser.ts"
import { readProgram, readProgramOverHttp } from "../docs/openfeature-programs.ts"
import { blocksOf, readPage, root } from "../docs/pages.ts"
import { runInPage, runOnNode } from "../docs/run-program.ts"
import { createMachine, type Machine } from "../proxy/deploy/machine.ts"
import { createPythonEnvironment, hasPython } from "../sdk/python/installed-python.ts"
import { hasNginx, startNginxBefore } from "../servers/nginx.ts"
import { clients, missingTools } from "./client.ts"

// Every program of docs/openfeature.md, and those it links to, against a proxy as docs/deployment.md sets it up with systemd: its steps, the unit
// of proxy/deploy, the two lines of the environment file for browsers and load balancers, and nginx as the balancer.

const shell = blocksOf(readPage("docs/deployment.md").text).filter(({ language }) => language === "sh")
const steps = shell.find(({ text }) => text.includes("systemctl"))?.text ?? ""
const variables = shell.flatMap(({ text }) => text.match(/^FLAGSTONE_(CORS_ORIGIN|TRUST_PROXY)=.*$/gm) ?? [])

const site = createServer((_, response) => {
  response.writeHead(200, { "content-type": "text/html" }).end("<!doctype html>")
})
let machine: Machine
let balancer: { readonly url: string; stop(): Promise<void> }
let apiKey: string

if (!hasNginx) console.warn("SKIPPED: the deployed proxy, because nginx is not installed")
describe.skipIf(!hasNginx)("a proxy that is deployed as the page says", () => {
  beforeAll(async () => {
    await new Promise<void>((resolve) => site.listen(0, "127.0.0.1", resolve))
    machine = await createMachine(readFileSync(join(root, "proxy/deploy/flagstone.service"), "utf8"))
    const etc = join(machine.folder, "etc/flagstone")
    mkdirSync(etc)
    const environment = variables.join("\n").replace("https://shop.example", origin())
    writeFileSync(join(etc, "environment"), environment)
    const { status, output } = await machine.run(steps)
    expect({ status, output }).toMatchObject({ status: 0 })
    apiKey = readFileSync(join(machine.folder, "home/secret.txt"), "utf8").trim()
    balancer = await startNginxBefore(`http://127.0.0.1:${machine.port}`)
  })
  afterAll(async () => {
    site.close()
    await balancer?.stop()
    await machine?.stop()
  })

  const program = (language: string, info: string) => readProgram(language, info, balancer.url)

  test("has the variables that depend on the operator", () => {
    expect(variables.map((line) => line.split("=")[0])).toEqual([
      "FLAGSTONE_CORS_ORIGIN",
      "FLAGSTONE_TRUST_PROXY",
    ])
  })

  test("answers the program for Node", async () => {
    expect(await runOnNode(program("js", "node"), { FLAGSTONE_API_KEY: apiKey })).toBe("true\n")
  })

  test.skipIf(chromium === undefined)("answers the program for browsers, from another origin", async () => {
    const browser = await openBrowser()
    const page = await browser.newPage()
    await page.goto(origin())
    expect(await runInPage(page, program("js", "browser").replace("FLAGSTONE_API_KEY", apiKey))).toBe("true")
    await browser.close()
  })

  if (!hasPython) console.warn("SKIPPED: the program for Python in process, because there is no python3")
  test.skipIf(!hasPython)(
    "answers the program for Python in process",
    async () => {
      const python = createPythonEnvironment("python-deployed")
      python.install()
      expect(await run(python.program("python"), ["-c", program("python", "in-process")])).toBe("true\n")
    },
    240_000,
  )

  for (const client of clients) {
    const { language, runFile } = client
    if (runFile === undefined) continue
    const missing = missingTools(client)
    if (missing.length > 0)
      console.warn(`SKIPPED: the program for ${language}, without ${missing.join(", ")}`)
    test.skipIf(missing.length > 0)(
      `answers the program for ${language} over HTTP`,
      async () => {
        client.build()
        const name = { Python: "shop.py", Go: "shop.go", Java: "Shop.java" }[language] ?? ""
        const text = readProgramOverHttp(language, balancer.url)
        expect(await runText(name, text, (file) => runFile(file))).toBe("true\n")
      },
      600_000,
    )
  }

  const [go] = clients.filter(({ language }) => language === "Go")
  test.skipIf(go === undefined || missingTools(go).length > 0)(
    "answers the program for Go in process",
    async () => {
      const folder = join(root, "sdk/go")
      const text = program("go", "in-process")
      expect(await runText("shop.go", text, (file) => ({ command: ["go", "run", file], folder }))).toBe(
        "true\n",
      )
    },
    240_000,
  )
})

function origin(): string {
  return `http://127.0.0.1:${(site.address() as AddressInfo).port}`
}

async function run(command: string, args: readonly string[], cwd?: string): Promise<string> {
  const env = { ...process.env, FLAGSTONE_API_KEY: apiKey }
  return (await promisify(execFile)(command, args, { cwd, env })).stdout
}

/** Runs a program of one file. */
async function runText(
  name: string,
  text: string,
  runFile: (file: string) => { readonly command: readonly string[]; readonly folder: string },
): Promise<string> {
  const home = mkdtempSync(join(tmpdir(), "flagstone-deployed-"))
  writeFileSync(join(home, name), text)
  const { command, folder } = runFile(join(home, name))
  const [program = "", ...args] = command
  const said = await run(program, args, folder)
  rmSync(home, { recursive: true })
  return said
}
