// @module-tag system
// @module-tag slow
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, test } from "vitest"
import { runBuild } from "../../cli/commands/build.ts"
import { parseManifest } from "../../proxy/contract/manifest.ts"
import { checkOutCorpus, hasCorpora } from "../corpora.ts"
import { testHost } from "../test-host.ts"

describe.runIf(hasCorpora)("flags from public repositories", () => {
  test.each([
    ["vets", 463, 2],
    ["android", 2004, 7],
    ["brave", 143, 3],
  ] as const)("%s compiles without a word", async (name, flags, environments) => {
    const host = testHost({ cwd: checkOutCorpus(name) })
    expect(await runBuild({ flags: "flags", out: "dist" }, host)).toBe(0)
    expect(host.err()).toBe("")
    const manifest = parseManifest(readFileSync(join(host.cwd, "dist", "manifest.json"), "utf8"))
    if (manifest.kind === "invalid") throw new Error(manifest.reason)
    const counts = Object.values(manifest.value.environments).map((environment) => environment.flags)
    expect(counts).toEqual(Array(environments).fill(flags))
  })
})
