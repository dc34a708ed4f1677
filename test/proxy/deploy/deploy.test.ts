// @module-tag system
import { spawnSync } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { describe, expect, test } from "vitest"
import { serveVariables } from "../../option-variables.ts"
import { createMachine } from "./machine.ts"

const root = resolve(import.meta.dirname, "../../..")
const folder = resolve(import.meta.dirname, "../../../proxy/deploy")

test.each(["../../Dockerfile", "flagstone.service", "kubernetes.yaml"])(
  "%s evaluates, and names what pages and load balancers need",
  (file) => {
    const text = readFileSync(join(folder, file), "utf8")
    expect(text).toMatch(/FLAGSTONE_OFREP(=1|, value: "1")/)
    expect(text).toContain("FLAGSTONE_CORS_ORIGIN")
    expect(text).toContain("FLAGSTONE_TRUST_PROXY")
  },
)

describe("systemd unit", () => {
  const text = readFileSync(join(folder, "flagstone.service"), "utf8")

  test("runs as an ordinary user, whose name a key file of mode 600 can belong to", () => {
    expect(text).toMatch(/^DynamicUser=yes$/m)
    expect(text).toMatch(/^User=flagstone$/m)
  })

  test("sets options as variables, so that those in its EnvironmentFile win", () => {
    expect(text).toMatch(/^ExecStart=\/usr\/bin\/flagstone serve$/m)
    const variables = text.match(/\bFLAGSTONE_\w+/g) ?? []
    expect(variables.length).toBeGreaterThan(4)
    const ofOptions = variables.filter((variable) => variable !== "FLAGSTONE_SNAPSHOTS_AUTHORIZATION")
    expect(serveVariables).toEqual(expect.arrayContaining(ofOptions))
  })

  const installs = { tags: ["slow"], timeout: 60_000 }
  test(
    "the steps of docs/deployment.md end in a running service, with a key file that only it reads",
    installs,
    async () => {
      const steps =
        /```sh\n([^`]*systemctl[^`]*)```/.exec(readFileSync(join(root, "docs/deployment.md"), "utf8"))?.[1] ??
        ""
      const machine = await createMachine(text)
      try {
        const { status, output } = await machine.run(steps)
        expect({ status, output }).toMatchObject({
          status: 0,
          output: expect.stringContaining('{"status":"ok"}'),
        })
        expect(statSync(join(machine.folder, "etc/flagstone/keys.yaml")).mode & 0o777).toBe(0o600)
        expect(readFileSync(join(machine.folder, "owners"), "utf8")).toBe(
          "flagstone: /etc/flagstone/keys.yaml\n",
        )
        const secret = readFileSync(join(machine.folder, "home/secret.txt"), "utf8").trim()
        const answer = await fetch(`http://127.0.0.1:${machine.port}/v1/flags`, {
          headers: { authorization: `Bearer ${secret}` },
        })
        expect(answer.status).toBe(200)
        const evaluated = await fetch(
          `http://127.0.0.1:${machine.port}/ofrep/v1/evaluate/flags/delivery-slots`,
          {
            method: "POST",
            headers: { authorization: `Bearer ${secret}` },
            body: JSON.stringify({ context: { appVersion: "4.13.0", postcode: "10115" } }),
          },
        )
        expect(await evaluated.json()).toMatchObject({ value: true })
      } finally {
        await machine.stop()
      }
    },
  )

  const hasAnalyze = spawnSync("systemd-analyze", ["--version"]).status === 0
  if (!hasAnalyze) console.warn("SKIPPED: the systemd unit by systemd-analyze, because it is not installed")
  test.skipIf(!hasAnalyze)("passes systemd-analyze", () => {
    const home = mkdtempSync(join(tmpdir(), "flagstone-unit-"))
    const unit = join(home, "flagstone.service")
    writeFileSync(unit, text.replace("/usr/bin/flagstone", process.execPath)) // it wants the program to be there
    const { stderr } = spawnSync("systemd-analyze", ["verify", "--man=no", unit], { encoding: "utf8" })
    rmSync(home, { recursive: true })
    expect(stderr.split("\n").filter((line) => line.includes("flagstone.service"))).toEqual([])
  })
})
