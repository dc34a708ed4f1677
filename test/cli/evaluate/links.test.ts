import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, test } from "vitest"
import { run } from "../../../cli/program.ts"
import { outsideGit, testHost } from "../../test-host.ts"

test("links are shown with --explain, and never appear in a snapshot", async () => {
  const cwd = mkdtempSync(join(tmpdir(), "flagstone-links-"))
  mkdirSync(join(cwd, "flags"))
  writeFileSync(join(cwd, "flags/project.yaml"), "project: shop\nenvironments: [production]\n")
  const links = '[{ title: SHOP-1, url: "https://t.example/1" }, "https://t.example/2"]'
  writeFileSync(join(cwd, "flags/a.yaml"), `defaultValue: false\nlinks: ${links}\n`)
  const host = () => testHost({ cwd, git: outsideGit, env: { SOURCE_DATE_EPOCH: "1795255200" } })
  const explaining = host()
  await run(["evaluate", "a", "--explain"], explaining, "0.0.0")
  expect(explaining.out()).toContain("\n  see SHOP-1: https://t.example/1\n  see https://t.example/2\n")
  const json = host()
  await run(["evaluate", "a", "--explain", "--format", "json"], json, "0.0.0")
  expect(JSON.parse(json.out()).links).toEqual([
    { title: "SHOP-1", url: "https://t.example/1" },
    { title: "https://t.example/2", url: "https://t.example/2" },
  ])
  expect(await run(["build"], host(), "0.0.0")).toBe(0)
  expect(readFileSync(join(cwd, "dist/production.json"), "utf8")).not.toContain("t.example")
})
