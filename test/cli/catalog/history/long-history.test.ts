// @module-tag system
// @module-tag slow
import { execFileSync } from "node:child_process"
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, test } from "vitest"
import { runCatalog } from "../../../../cli/commands/catalog.ts"
import { type FlagText, makeFlagsRepository, pathOf } from "../../../bench/flags-repository.ts"
import { testHost } from "../../../test-host.ts"

/** Some versions cannot be read, and some flags are not committed. */
function createLongHistory(meaning: FlagText): string {
  const folder = mkdtempSync(join(tmpdir(), "flagstone-history-"))
  makeFlagsRepository(folder, {
    flags: 600,
    commits: 60,
    edits: 12,
    text: (flag, revision) =>
      flag % 50 === 3 && revision % 2 === 1
        ? "defaultValue: [\n"
        : `owner: team-${flag % 3}\n${meaning(flag, revision)}`,
  })
  for (let flag = 3; flag < 600; flag += 50) write(folder, flag, () => "defaultValue: true\n")
  execFileSync("git", ["-c", "user.name=Ann", "-c", "user.email=ann@b.example", "commit", "-qam", "x"], {
    cwd: folder,
  })
  write(folder, 5, (text) =>
    text.replace("returnValue: { b: 1", "returnValue: { b: 2").replace("returnValue: 4", "returnValue: 5"),
  )
  return folder
}

/** Flags that are each edited differently. */
const ownEdits: FlagText = (flag, revision) =>
  `type: json\ndefaultValue: { b: ${revision}, a: [${flag}] }\nenvironments:\n  production:\n    enabled: true\n    rules: [{ attribute: plan, operator: matches, value: "^p${revision}", returnValue: { b: 1, a: ${flag} } }]\n`

/** Flags with the same edits; in production, the key decides whether anyone is in one of the shares. */
const commonEdits: FlagText = (flag, revision) => `type: number
defaultValue: 0
environments:
  development:
    enabled: ${flag % 3 === 0}
    rules:
      - { attribute: plan, operator: equals, value: p, returnValue: 1 }
      - { attribute: userId, operator: percentage, value: "${(revision % 3) * 30}", returnValue: 2 }
      - { attribute: userId, operator: percentage, value: "70", returnValue: ${revision % 5} }
  production:
    enabled: true
    rules:
      - { attribute: userId, operator: percentage, value: "${20 + (revision % 2) * 30}", returnValue: 1 }
      - { attribute: userId, operator: in, value: [a], returnValue: 1 }
      - { attribute: plan, operator: in, value: [p, q], returnValue: 3 }
      - { attribute: plan, operator: percentage, value: "${revision % 2}.5", returnValue: 4 }
`

function write(folder: string, flag: number, edit: (text: string) => string): void {
  const path = join(folder, pathOf(flag))
  writeFileSync(path, edit(readFileSync(path, "utf8")))
}

test.each([
  ["each flag in its own way", ownEdits],
  ["many flags with the same edits", commonEdits],
])("a page is the same from nothing and from the cache: %s", async (_, meaning) => {
  const folder = createLongHistory(meaning)
  const host = testHost({ cwd: folder })
  const write = async (out: string, cache: boolean) => {
    expect(await runCatalog({ flags: "flags", out, authors: true, cache }, host), host.err()).toBe(0)
    return readFileSync(join(folder, out))
  }
  const page = await write("page.html", false)
  for (const out of ["first.html", "cached.html"]) expect(page.equals(await write(out, true)), out).toBe(true)
})
