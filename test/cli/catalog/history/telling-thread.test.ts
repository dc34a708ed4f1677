import { execFileSync } from "node:child_process"
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, test } from "vitest"
import { compileProject } from "../../../../cli/build-project.ts"
import { makeCatalog } from "../../../../cli/catalog/catalog.ts"
import { startTelling } from "../../../../cli/catalog/history/telling-thread.ts"
import { runCatalog } from "../../../../cli/commands/catalog.ts"
import { makeFlagsRepository, pathOf } from "../../../bench/flags-repository.ts"
import { testHost } from "../../../test-host.ts"

/** Large enough that a thread says its history; some versions cannot be read, and some flags are not committed. */
function createLongHistory(): string {
  const folder = mkdtempSync(join(tmpdir(), "flagstone-history-"))
  makeFlagsRepository(folder, {
    flags: 600,
    commits: 60,
    edits: 12,
    text: (flag, revision) =>
      flag % 50 === 3 && revision % 2 === 1
        ? "defaultValue: [\n"
        : `owner: team-${flag % 3}\ntype: json\ndefaultValue: { b: ${revision}, a: [${flag}] }\nenvironments:\n  production:\n    enabled: true\n    rules: [{ attribute: plan, operator: matches, value: "^p${revision}", returnValue: { b: 1, a: ${flag} } }]\n`,
  })
  for (let flag = 3; flag < 600; flag += 50) write(folder, flag, () => "defaultValue: true\n")
  execFileSync("git", ["-c", "user.name=Ann", "-c", "user.email=ann@b.example", "commit", "-qam", "x"], {
    cwd: folder,
  })
  write(folder, 5, (text) => text.replace("b: 1", "b: 2"))
  return folder
}

function write(folder: string, flag: number, edit: (text: string) => string): void {
  const path = join(folder, pathOf(flag))
  writeFileSync(path, edit(readFileSync(path, "utf8")))
}

test("a history that a thread says is the history that is said here", async () => {
  const folder = createLongHistory()
  const host = testHost({ cwd: folder })
  expect(await runCatalog({ flags: "flags", out: "page.html" }, host), host.err()).toBe(0)
  // Without an onlooker, all is read and said here.
  const built = await compileProject({ flags: "flags" }, host)
  if (built.kind === "errors") throw new Error(host.err())
  const { project, build } = built
  const here = await makeCatalog({
    ...{ project, build, git: host.git, baseUrl: undefined, authors: true, cache: false },
  })
  expect(here.equals(readFileSync(join(folder, "page.html")))).toBe(true)
})

test("a thread that lacks a version fails with the cause, and one that is stopped ends", async () => {
  const changes = new Map([["a.yaml", { before: undefined, after: "0".repeat(40) }]])
  const commits = [{ id: "1".repeat(40), at: 0, changes }]
  const thread = startTelling()
  thread.tell({ project: "p", environments: [{ name: "live", id: "live" }], commits })
  await expect(thread.end()).rejects.toThrow(/cannot be said.*version.*is missing/)
  const stopped = startTelling()
  stopped.stop()
  await expect(stopped.end()).rejects.toThrow(/ended early/)
})
