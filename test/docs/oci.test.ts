// @module-tag system
// @module-tag slow
import { spawn } from "node:child_process"
import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, onTestFinished, test } from "vitest"
import { freePort, untilListening } from "../servers/ports.ts"
import { cloneProject } from "./example-project.ts"
import { blocksOf, readPage } from "./pages.ts"
import { isInstalled, runScript } from "./runner.ts"

const what = "flags in a registry of images"
const canRun = ["oras", "docker-registry"].every((program) => isInstalled(program, what))

test.skipIf(!canRun)("a build is pushed to a registry of images, pulled and served", async () => {
  const [push, pull] = blocksOf(readPage("docs/deployment.md").text).filter(({ text }) =>
    text.includes("oras "),
  )
  const cwd = cloneProject()
  const folder = mkdtempSync(join(tmpdir(), "flagstone-oci-"))
  const port = await freePort()
  const settings = {
    storage: { filesystem: { rootdirectory: join(folder, "store") } },
    http: { addr: `127.0.0.1:${port}` },
  }
  writeFileSync(join(folder, "registry.yml"), JSON.stringify({ version: 0.1, ...settings }))
  const registry = spawn("docker-registry", ["serve", join(folder, "registry.yml")], { stdio: "ignore" })
  onTestFinished(() => void registry.kill())
  await untilListening(port)
  const here = (text = "") =>
    text
      .replaceAll("registry.example", `localhost:${port}`) // to which oras speaks without TLS
      .replaceAll("/var/lib", join(folder, "lib"))
      .replaceAll("/etc/flagstone/", "")
  await runScript(here(push?.text), cwd)
  await runScript("flagstone keys create production --keys keys.yaml --out secret.txt", cwd)
  expect(await runScript(here(pull?.text), cwd)).toContain("13 flags")
  const pulled = join(folder, "lib/flagstone/dist")
  expect(readdirSync(pulled)).toEqual(readdirSync(join(cwd, "dist")))
  for (const name of readdirSync(pulled))
    expect(readFileSync(join(pulled, name))).toEqual(readFileSync(join(cwd, "dist", name)))
})
