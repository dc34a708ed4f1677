// @module-tag system
// @module-tag slow
import { join } from "node:path"
import { expect, test } from "vitest"
import { type CatalogRequest, makeCatalog } from "../../../cli/catalog/catalog.ts"
import type { DescribedCommit } from "../../../cli/catalog/history/described-commit.ts"
import { createReport } from "../../../cli/diagnostics/diagnostic.ts"
import { createHistoryCache } from "../../../cli/history/history-cache.ts"
import { compileOptions } from "../../../cli/project/build-project.ts"
import { readInput } from "../../../cli/project/input.ts"
import { readProject } from "../../../cli/reading/project.ts"
import type { TestRepository } from "../../repository.ts"
import { testHost } from "../../test-host.ts"
import { createCatalogProject, writeCatalog } from "./catalog-project.ts"

const segment = (ending: string) => `attribute: email\noperator: endsWith\nvalue: '${ending}'\n`

/** The page; `undefined` if the flags have errors. */
async function pageOf(
  { folder }: TestRepository,
  request: Partial<CatalogRequest> = {},
): Promise<string | undefined> {
  const host = testHost({ cwd: folder })
  const report = createReport()
  const project = readProject(join(folder, "flags"), report)
  if (project === undefined) throw new Error("no project")
  const made = await makeCatalog({
    input: await readInput(project, host.git, report),
    ...{ report, options: compileOptions({ flags: "flags" }, host), authors: true },
    ...{ baseUrl: Promise.resolve(undefined), editBranch: Promise.resolve(undefined) },
    ...request,
  })
  return made?.page.toString("utf8")
}

test("a catalogue is the same with a cache as without one, after each of many edits", async () => {
  const repository = createCatalogProject()
  repository.write("flags/staff.segment.yaml", segment("@a.example"))
  repository.write(
    "flags/user.yaml",
    "defaultValue: false\nenvironments:\n  production: { enabled: true, rules: [{ segment: staff, returnValue: true }] }\n",
  )
  repository.commit(3 * 86_400)
  const cache = createHistoryCache<readonly DescribedCommit[]>()
  const seen = new Set([await pageOf(repository, { cache })])
  for (const [at, [name, edit]] of edits.entries()) {
    edit(repository)
    for (const commit of [false, true]) {
      if (commit) repository.commit((4 + at) * 86_400)
      const page = await pageOf(repository, { cache })
      expect(page === (await pageOf(repository)), `${name}, ${commit ? "" : "not "}committed`).toBe(true)
      seen.add(page)
    }
  }
  expect(seen.size).toBeGreaterThan(edits.length)
})

test("a catalogue with links differs from one without them only in these", async () => {
  const repository = createCatalogProject()
  const { text } = await writeCatalog(repository)
  expect(await pageOf(repository, { links: [{ text: "Commands", href: "/commands" }] })).toBe(
    text.replace("</time></p>", '</time> · <a href="/commands">Commands</a></p>'),
  )
})

const flagText = (share: number) =>
  `defaultValue: false\nenvironments:\n  production:\n    enabled: true\n    rules: [{ attribute: customerId, operator: percentage, value: "${share}", returnValue: true }]\n`

const projectText = "project: shop\nenvironments: [development, staging, production]\nignore: [same.yaml]\n"

/** One after the other. */
const edits: readonly (readonly [string, (repository: TestRepository) => void])[] = [
  ["an added flag", (repository) => repository.write("flags/a-new.yaml", flagText(9))],
  ["a share", (repository) => repository.write("flags/a-new.yaml", flagText(55))],
  ["a removed flag", (repository) => repository.remove("flags/same.yaml")],
  ["a flag that is renamed", (repository) => repository.move("flags/user.yaml", "flags/renamed.yaml")],
  ["a restored flag", (repository) => repository.write("flags/same.yaml", flagText(3))],
  ["a segment", (repository) => repository.write("flags/staff.segment.yaml", segment("@b.example"))],
  [
    "a segment that moves",
    (repository) => repository.move("flags/staff.segment.yaml", "flags/team/staff.segment.yaml"),
  ],
  ["a flag that cannot be read", (repository) => repository.write("flags/a-new.yaml", "defaultValue: [\n")],
  ["a changed project file", (repository) => repository.write("flags/project.yaml", projectText)],
  ["the commit before", ({ git }) => git("reset", "-q", "--hard", "HEAD^")],
  ["and that can be read again", (repository) => repository.write("flags/a-new.yaml", flagText(8))],
]
