import { spawnSync } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { describe, expect, test } from "vitest"

const folder = resolve(import.meta.dirname, "../../../proxy/deploy")

/** Options that `serve` has, so that neither file starts a proxy that does not start. */
const help = spawnSync(process.execPath, [join(folder, "../../cli/flagstone.js"), "serve", "--help"], {
  encoding: "utf8",
}).stdout

describe("Dockerfile", () => {
  const text = readFileSync(join(folder, "Dockerfile"), "utf8")
  const instructions = text
    .replace(/\\\n/g, " ")
    .split("\n")
    .filter((line) => line.trim() !== "" && !line.startsWith("#"))
    .map((line) => /^([A-Z]+) +(.*)$/.exec(line.trim()))

  test("is made of instructions", () => expect(instructions).not.toContain(null))

  const all = (name: string): readonly string[] =>
    instructions.flatMap((found) => (found?.[1] === name ? [found[2] ?? ""] : []))

  test("ends as an ordinary user, in a stage of its own", () => {
    expect(all("FROM").length).toBe(2)
    expect(all("USER").at(-1)).toBe("node")
    const order = instructions.map((found) => found?.[1])
    expect(order.lastIndexOf("USER")).toBeGreaterThan(order.lastIndexOf("RUN"))
    expect(order.lastIndexOf("USER")).toBeGreaterThan(order.lastIndexOf("FROM"))
  })

  test("names the versions of what it starts from, adds nothing from elsewhere, and holds no secret", () => {
    for (const from of all("FROM")) expect(from).toMatch(/^[a-z]+:\d+-[a-z-]+( AS [a-z]+)?$/)
    expect(all("ADD")).toEqual([])
    expect(text).not.toMatch(/sudo|curl|wget|latest|AUTHORIZATION|fsk_/)
  })

  test("starts Node itself, by lists that no shell reads, so that signals arrive", () => {
    for (const list of [...all("ENTRYPOINT"), ...all("CMD"), ...all("RUN")])
      expect(Array.isArray(JSON.parse(list))).toBe(true)
    expect(all("ENTRYPOINT")).toEqual(['["node", "--max-semi-space-size=4", "/app/cli/flagstone.js"]'])
  })

  test("uses options that there are", () => {
    for (const option of all("CMD")
      .join(" ")
      .match(/--[a-z-]+/g) ?? [])
      expect(help).toContain(`${option} `)
  })
})

describe("systemd unit", () => {
  const text = readFileSync(join(folder, "flagstone.service"), "utf8")

  test("runs as an ordinary user and uses options that there are", () => {
    expect(text).toMatch(/^DynamicUser=yes$/m)
    const start = /^ExecStart=((?:.*\\\n)*.*)$/m.exec(text)?.[1] ?? ""
    for (const option of start.match(/--[a-z-]+/g) ?? []) expect(help).toContain(`${option} `)
    expect(start).not.toBe("")
  })

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
