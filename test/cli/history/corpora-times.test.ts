// @module-tag system
// @module-tag slow
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, test } from "vitest"
import { runBuild } from "../../../cli/commands/build.ts"
import type { SnapshotDocument } from "../../../sdk/contract/snapshot.ts"
import { checkOutCorpus, hasCorpora } from "../../corpora.ts"
import { testHost } from "../../test-host.ts"
import { replayTimes } from "./replayed-times.ts"

describe.runIf(hasCorpora)(
  "every time of flags from public repositories is the one that a replay finds",
  () => {
    test.each([
      ["vets", 926],
      ["android", 14_028],
    ] as const)("%s", { timeout: 120_000 }, async (name, entries) => {
      const host = testHost({ cwd: checkOutCorpus(name) })
      expect(await runBuild({ flags: "flags", out: "dist" }, host)).toBe(0)
      const replayed = replayTimes(host.cwd)
      let compared = 0
      for (const file of readdirSync(join(host.cwd, "dist")).filter((file) => file !== "manifest.json")) {
        const document: SnapshotDocument = JSON.parse(readFileSync(join(host.cwd, "dist", file), "utf8"))
        for (const { flag, environment } of document.flags) {
          const { createdAt, updatedAt, configurations } = replayed.get(flag.key) ?? {}
          const configured = configurations?.[file.replace(".json", "")]
          const found = [flag.createdAt, flag.updatedAt, environment?.updatedAt]
          expect([flag.key, ...found]).toEqual([flag.key, createdAt, updatedAt, configured])
          compared++
        }
      }
      expect(compared).toBe(entries)
    })
  },
)
