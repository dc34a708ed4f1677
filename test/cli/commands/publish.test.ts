import { hash } from "node:crypto"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, onTestFinished, test } from "vitest"
import { runPublish } from "../../../cli/commands/publish.ts"
import { buildSnapshots } from "../../bench/snapshots.ts"
import { testHost } from "../../test-host.ts"

test("a terminal shows how many files are sent", async () => {
  const cwd = mkdtempSync(join(tmpdir(), "flagstone-publish-"))
  onTestFinished(() => rmSync(cwd, { recursive: true }))
  buildSnapshots(join(cwd, "dist"), { project: "shop", flags: 1, environments: ["production"] })
  let now = 0
  const monotonicNow = () => {
    now += 2_000
    return now
  }
  const host = testHost({
    cwd,
    isTerminal: { stdin: false, stdout: true, stderr: true },
    env: {},
    monotonicNow,
  })
  const options = { target: "site", snapshots: "dist", allowDirty: true, timeLimit: 60_000 }
  expect(await runPublish(options, host)).toBe(0)
  const shown = [...host.err().matchAll(/\rfiles sent: (\d+) of /g)].map(([, sent]) => Number(sent))
  expect(shown).toEqual(shown.map((_, at) => at + 1))
  expect(shown.length).toBeGreaterThan(2)
})

test("a document that proxies would not read from an address is refused", async () => {
  const cwd = mkdtempSync(join(tmpdir(), "flagstone-publish-"))
  onTestFinished(() => rmSync(cwd, { recursive: true }))
  const dist = join(cwd, "dist")
  buildSnapshots(dist, { project: "shop", flags: 1, environments: ["production"] })
  const options = { target: "site", snapshots: "dist", allowDirty: true, timeLimit: 60_000 }
  const publishWith = async (size: number) => {
    const bytes = Buffer.alloc(size, " ")
    bytes.write('{"flags":[]}')
    writeFileSync(join(dist, "production.json"), bytes)
    const manifest = JSON.parse(readFileSync(join(dist, "manifest.json"), "utf8"))
    Object.assign(manifest.environments.production, { size, sha256: hash("sha256", bytes) })
    writeFileSync(join(dist, "manifest.json"), JSON.stringify(manifest))
    return runPublish(options, testHost({ cwd, env: {} }))
  }
  const most = 64 * 1024 * 1024
  await expect(publishWith(most + 1)).rejects.toThrow(
    `${join(dist, "production.json")} has ${most + 1} bytes, and proxies read at most ${most} from a URL`,
  )
  expect(await publishWith(most)).toBe(0)
})
