// @module-tag system
// @module-tag slow
import { execFile, spawnSync } from "node:child_process"
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { promisify } from "node:util"
import { describe, expect, test } from "vitest"
import { deliverySlots, readProgram } from "../docs/openfeature-programs.ts"
import { buildFiles, createMapSource } from "../proxy/fixtures.ts"
import { startTestProxy } from "../proxy/start-proxy.ts"

// The SDK in Go has its tests beside it, for `go test`.
const folder = resolve(import.meta.dirname, "../../sdk/go")

function isInstalled(tool: string): boolean {
  return spawnSync("sh", ["-c", `command -v ${tool}`]).status === 0
}

const hasGo = isInstalled("go")
if (!hasGo) console.warn("SKIPPED: the SDK in Go, because go is not installed")
const hasStaticcheck = hasGo && isInstalled("staticcheck")
if (hasGo && !hasStaticcheck)
  console.warn("SKIPPED: staticcheck of the SDK in Go, because it is not installed")

function run(tool: string, ...args: readonly string[]): string {
  const { stdout, stderr, status } = spawnSync(tool, args, { cwd: folder, encoding: "utf8" })
  return status === 0 ? stdout : `${stdout}${stderr}`
}

describe.skipIf(!hasGo)("the SDK in Go", () => {
  test("passes its tests, with the race detector", { timeout: 600_000 }, () => {
    const result = run("go", "test", "-race", "./...")
    expect(result).not.toMatch(/FAIL|DATA RACE/)
    expect(result).toMatch(/^ok .*\/sdk\/go\t[\s\S]*^ok .*\/sdk\/go\/provider\t/m)
  })

  test("is formatted and vetted", { timeout: 120_000 }, () => {
    expect(run("gofmt", "-l", ".")).toBe("")
    expect(run("go", "vet", "./...")).toBe("")
    expect(run("go", "mod", "tidy", "-diff")).toBe("")
  })

  test.skipIf(!hasStaticcheck)("pleases staticcheck", { timeout: 120_000 }, () => {
    expect(run("staticcheck", "./...")).toBe("")
  })

  test("embeds a snapshot as docs/openfeature.md says", { timeout: 120_000 }, () => {
    const shop = mkdtempSync(join(tmpdir(), "flagstone-go-"))
    const program = [
      'package shop\n\nimport (\n\t_ "embed"\n\n\t"flagstone.example/sdk/go/provider"\n)\n',
      readProgram("go", "embed", ""),
      "var options = provider.Options{Document: snapshot}\n",
    ]
    writeFileSync(join(shop, "shop.go"), program.join("\n"))
    cpSync(join(folder, "provider/testdata/production.json"), join(shop, "production.json"))
    cpSync(join(folder, "go.sum"), join(shop, "go.sum"))
    const name = "flagstone.example/sdk/go"
    const versions = readFileSync(join(folder, "go.mod"), "utf8").replace(name, "shop")
    writeFileSync(join(shop, "go.mod"), `${versions}\nrequire ${name} v0.0.0\nreplace ${name} => ${folder}\n`)
    expect(run("go", "-C", shop, "vet", ".")).toBe("")
    rmSync(shop, { recursive: true })
  })

  test("runs the program of docs/openfeature.md in process", { timeout: 120_000 }, async () => {
    const { proxy, secret } = await startTestProxy({
      snapshots: [createMapSource(buildFiles({ production: [deliverySlots] }))],
    })
    const shop = mkdtempSync(join(tmpdir(), "flagstone-go-"))
    const program = join(shop, "shop.go")
    writeFileSync(program, readProgram("go", "in-process", proxy.url))
    const env = { ...process.env, FLAGSTONE_API_KEY: secret }
    const { stdout } = await promisify(execFile)("go", ["run", program], { cwd: folder, env })
    expect(stdout).toBe("true\n")
    rmSync(shop, { recursive: true })
  })
})
