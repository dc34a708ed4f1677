import { mkdtempSync, rmSync } from "node:fs"
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
  const host = testHost({ cwd, isTerminal: { stdout: true, stderr: true }, env: {}, monotonicNow })
  const options = { target: "site", snapshots: "dist", allowDirty: true, timeLimit: 60_000 }
  expect(await runPublish(options, host)).toBe(0)
  const shown = [...host.err().matchAll(/\rfiles sent: (\d+) of /g)].map(([, sent]) => Number(sent))
  expect(shown).toEqual(shown.map((_, at) => at + 1))
  expect(shown.length).toBeGreaterThan(2)
})
